import { clsx } from 'clsx'
import type { ClassValue } from 'clsx'

/** Joins class names. Utilities lie in a later layer than our parts, so a utility given by the caller wins by itself. */
export const cn = (...values: ClassValue[]) => clsx(values)
