/** Matches a number as printed: with thousands and decimal separators, or with a decimal point at its beginning. */
const NUMBER = /(?<![\p{L}\p{N}])\.?\p{N}+(?:[.,·]\p{N}+|['’\u00A0\u2009\u202F]\p{N}{3}(?!\p{N}))*/gu
/** Matches a number whose thousands are separated by spaces, such as '12 500'. It can also be two separate numbers. */
const SPACED = /(?<![\p{L}\p{N}.,])\p{N}{1,3}(?: \p{N}{3})+(?![\p{L}\p{N}]|[.,]\p{N})/gu
const DECIMAL_COMMA =
  /(?<![\p{N}.,])(?:\p{N}+,(?:\p{N}{1,2}|\p{N}{4,})|0,\p{N}+|\p{N}{1,3}(?:\.\p{N}{3})+,\p{N}+)(?![\p{N}.,]\p{N}|\p{N})/u
const DECIMAL_POINT =
  /(?<![\p{N}.,])(?:\p{N}+\.(?:\p{N}{1,2}|\p{N}{4,})|0\.\p{N}+|\p{N}{1,3}(?:,\p{N}{3})+\.\p{N}+)(?![\p{N}.,]\p{N}|\p{N})/u

/** The character that separates decimals in a text. */
export type DecimalSeparator = '.' | ','

/** Returns the decimal separator of the numbers of a text; null if none of them shows it, or if they show both. */
export function decimalSeparator(text: string): DecimalSeparator | null {
  const [point, comma] = [DECIMAL_POINT.test(text), DECIMAL_COMMA.test(text)]
  return point === comma ? null : point ? '.' : ','
}

/** Returns the numbers of a text as they are printed. */
export const printedNumbers = (text: string): string[] => text.match(NUMBER) ?? []

/**
 * Returns the groups of digits with spaces between them, such as '12 500', that are one number if the spaces separate
 * thousands.
 */
export const spacedNumbers = (text: string): string[] => text.match(SPACED) ?? []

/**
 * Returns the values that a printed number can have, as digits with a decimal point. A number with one separator before three
 * digits is ambiguous. In a text with decimal points, '1,500' is 1500 and '1.500' is 1.5. In a text with decimal commas,
 * '1,500' and '1.500' can both be 1500 or 1.5.
 */
export function valuesOf(printed: string, separator: DecimalSeparator): string[] {
  const number = printed
    .normalize('NFKC')
    .replace(/['’\s]/g, '')
    .replaceAll('·', '.')
  const [points, commas] = [number.split('.').length - 1, number.split(',').length - 1]
  if (points + commas === 0) return [canonical(number)]
  if (points > 0 && commas > 0) {
    const last = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','))
    return [canonical(`${digitsOf(number.slice(0, last))}.${number.slice(last + 1)}`)]
  }
  const whole = canonical(digitsOf(number))
  if (points + commas > 1) return [isGrouped(number) ? whole : number]
  const decimal = canonical(number.replace(',', '.'))
  if (!isGrouped(number)) return [decimal]
  if (separator === ',') return [whole, decimal]
  return [commas === 1 ? whole : decimal]
}

const digitsOf = (number: string) => number.replace(/[.,]/g, '')
/** Returns whether a number has thousands separators: its groups have three digits, and it does not begin with a zero. */
const isGrouped = (number: string) => /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(number)
/** Returns one form for equal values: '0.50', '.5' and '0.5' become the same text. */
function canonical(number: string): string {
  const [whole = '', decimals = ''] = number.split('.')
  const rest = decimals.replace(/(?<!0)0+$/, '')
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (rest === '' ? '' : `.${rest}`)
}
