/**
 * Matches characters that XML 1.0 cannot represent, not even escaped (production Char). Readers refuse a whole file because of
 * one such character.
 */
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Returns the text without characters that XML cannot represent. The result must still be escaped. */
export const xmlText = (text: string): string => text.replace(NO_XML, '')
