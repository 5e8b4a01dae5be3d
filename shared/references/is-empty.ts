/** Returns true for a field of a reference without a value: absent, null, an empty text or an empty list. */
export const isEmpty = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0)
