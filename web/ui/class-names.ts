import { clsx } from 'clsx'
import type { ClassValue } from 'clsx'
import { twMerge } from 'tailwind-merge'

/** Joins class names; of two utilities that contradict each other the later one stands. */
export const cn = (...values: ClassValue[]) => twMerge(clsx(values))
