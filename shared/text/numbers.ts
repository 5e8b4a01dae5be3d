/**
 * Formats a whole number with commas: '1,200'. Does not use Intl, whose first formatter would delay the first display of a page
 * by 20 ms.
 */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** Returns a count and its noun: `1 document`, `42 documents`. */
export const counted = (count: number, word: string): string => `${grouped(count)} ${word}${count === 1 ? '' : 's'}`
