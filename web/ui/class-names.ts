import { clsx } from 'clsx'
import type { ClassValue } from 'clsx'

/**
 * Joins class names. Utilities are in a later cascade layer than component styles, so they win without a merge
 * function.
 */
export const cn = (...values: ClassValue[]) => clsx(values)
