import { clsx } from 'clsx'
import type { ClassValue } from 'clsx'

/**
 * Joins class names. Needs no function that removes conflicting classes: utility classes have priority over the classes of
 * components, because they are in a later cascade layer.
 */
export const cn = (...values: ClassValue[]) => clsx(values)
