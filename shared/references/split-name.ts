import type { CslName } from '#shared/contract/references.ts'
import { anyOrder, displayName, ORGANISATION } from './names.ts'

/** Matches words and characters that occur in names of groups, in addition to the words of ORGANISATION. */
const GROUP =
  /\b(?:alliance|authority|board|clinic|collaborati\w+|consortium|department|fund|group|hospital|initiative|laboratory|network|panel|program(?:me)?|project|registry|school|service|study|task force|team|trial|trialists|union|universit\w*|working|and|for|of|und|et al)\b|[&@/:;()[\]\d]/iu
const SUFFIX = /^(?:jr|sr)\.?$|^(?:ii|iii|iv)$/i
const DEGREE = /^(?:m\.?d|ph\.?d|dr|m\.?sc|b\.?sc|m\.?p\.?h|r\.?n|m\.?a|d\.?o|prof)\.?$/i

/** Returns whether a name contains a word or character of group names, such as 'Trial' or '&'. */
export const isGroup = (name: string) => GROUP.test(name) || ORGANISATION.test(name)

/**
 * Splits an author that is written as one text, 'Given Family' or 'Family, Given' (FND-04). Returns a literal name when no
 * split is safe: groups, degrees, single words, and initials after the family name, which would change their place.
 */
export function splitName(text: string): CslName {
  const name = text.trim().replaceAll(/\s+/g, ' ')
  const literal = { literal: name }
  const [first = '', second, ...others] = name.split(/\s*,\s*/)
  if (isGroup(name) || others.length > 0 || (second !== undefined && (!first || !second))) return literal
  if (second !== undefined && DEGREE.test(second)) return literal
  if (second !== undefined && !SUFFIX.test(second)) return anyOrder(name) ?? literal
  const plain = second === undefined ? name : `${first} ${second}`
  const found = anyOrder(plain)
  return found && found.literal === undefined && displayName(found) === plain ? found : literal
}
