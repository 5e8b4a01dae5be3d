import { normaliseWithMap } from '#shared/passages/letters-and-digits.ts'

const TAG = /<\/?[a-z][^<>]{0,200}>/gi
const ENTITY = /&(?:[a-z]{2,8}|#\d{1,7}|#x[\da-f]{1,6});/gi

/**
 * Returns the key that compares titles: letters and digits in lower case (NFKD, without accents), without tags and entities.
 * Two titles that differ in punctuation, spacing, case and markup have equal keys.
 */
export const titleMatch = (title: string) =>
  normaliseWithMap(title.slice(0, 5000).replaceAll(TAG, '').replaceAll(ENTITY, '')).text
