/** The built-in analysis reads so much of a text, which is more than the longest book. */
export const MOST_CHARACTERS = 5_000_000
