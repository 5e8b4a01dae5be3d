/** The pattern of LIKE and ILIKE for texts that contain `text` as it stands: its own wildcards mean themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
