/** A whole number with its thousands apart, and a dash for one that nobody knows. */
export const whole = (value: number | null): string => (value === null ? '—' : value.toLocaleString('en-GB'))
