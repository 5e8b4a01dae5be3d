/** Maximum number of characters that the built-in analysis reads. The longest book has fewer. */
export const MOST_CHARACTERS = 5_000_000
