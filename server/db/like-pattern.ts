/** Returns the pattern of LIKE and ILIKE for texts that contain `text` literally: its wildcards are escaped. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
