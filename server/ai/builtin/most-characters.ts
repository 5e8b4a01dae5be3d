/** Characters that the built-in analysis reads, more than the longest book. */
export const MOST_CHARACTERS = 5_000_000
