/** Returns a pattern for LIKE and ILIKE that matches texts with `text` in them. Wildcards in `text` are escaped. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
