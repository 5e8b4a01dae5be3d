/** What XML 1.0 has no way to write, not even escaped (production Char): a reader refuses the whole file for one of them. */
const NO_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** A text as it can stand in XML, once it is escaped. */
export const xmlText = (text: string): string => text.replace(NO_XML, '')
