/** Formats an integer with thousands separators; a dash for null. */
export const whole = (value: number | null): string => (value === null ? '—' : value.toLocaleString('en-GB'))
