import { grouped } from '#shared/text/numbers.ts'
/** Formats an integer with thousands separators; a dash for null. */
export const whole = (value: number | null): string => (value === null ? '—' : grouped(value))
