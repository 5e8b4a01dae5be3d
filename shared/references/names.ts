import type { CslName } from '#shared/contract/references.ts'
import { normalizeWithMap } from '#shared/passages/letters-and-digits.ts'

const PARTICLES = new Set(
  "van von de der den del della dela dos das da di do du la le los las ten ter te zu zum zur af av bin ibn el al dal dalla degli 't".split(
    ' ',
  ),
)
const SUFFIX = /^(?:Jr|Sr|II|III|IV|VI{0,3}|[2-9](?:nd|rd|th)|Esq|MD|PhD)\.?$/
const INITIALS = /^(?:\p{Lu}[.-]{0,2}){1,5}$/u
/** Matches words that occur in names of organisations. */
export const ORGANISATION =
  /\b(?:university|universität|institute?|college|department|ministry|agency|association|society|committee|consortium|collaborators?|group|team|network|organi[sz]ation|foundation|cent(?:er|re)|council|commission|office|federation|investigators|corporation|company|inc|ltd|gmbh|llc)\b/i

const clean = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Builds a CSL name. Particles before the family name or after the given name, and a suffix, become separate fields. */
function build(familyText: string, givenText: string, suffixText = ''): CslName {
  const family = familyText.split(' ')
  const given = givenText.split(' ').filter(Boolean)
  let suffix = suffixText
  if (!suffix && given.length > 1 && SUFFIX.test(given.at(-1)!)) suffix = given.pop()!
  if (!suffix && family.length > 1 && SUFFIX.test(family.at(-1)!)) suffix = family.pop()!
  let before = 0
  while (before < family.length - 1 && PARTICLES.has(family[before]!)) before++
  let after = given.length
  while (after > 1 && PARTICLES.has(given[after - 1]!)) after--
  return {
    family: family.slice(before).join(' '),
    ...(given.length > 0 && { given: given.slice(0, after).join(' ') }),
    ...(after < given.length && { 'dropping-particle': given.slice(after).join(' ') }),
    ...(before > 0 && { 'non-dropping-particle': family.slice(0, before).join(' ') }),
    ...(suffix && { suffix }),
  }
}

/**
 * Reads 'Family, Given' or 'Family, Given, Suffix', as RIS and PubMed write names. A name without a comma is literal,
 * except 'Family A.B.'. A comma at the end marks an organisation, as in EndNote. Returns undefined for an empty name.
 */
export function familyFirst(text: string): CslName | undefined {
  const name = clean(text)
  const bare = name.replace(/[\s,;]+$/, '')
  if (bare === '') return undefined
  const parts = bare.split(',').map((part) => part.trim())
  const [family = '', second = '', third = ''] = parts
  if (parts.length === 1 && name.endsWith('.')) return initialsLast(bare) ?? { literal: bare }
  if (name.endsWith(',') || parts.length === 1 || parts.length > 3 || family === '') return { literal: bare }
  if (parts.length === 2) return build(family, second)
  if (SUFFIX.test(second)) return build(family, third, second)
  return SUFFIX.test(third) ? build(family, second, third) : { literal: bare }
}

/**
 * Reads a name with initials last: 'Smith JA', 'Smith J.A.' or 'Smith JA Jr', as in PubMed and Scopus. Returns undefined for
 * other text.
 */
export function initialsLast(text: string): CslName | undefined {
  const words = clean(text).split(' ')
  const suffix = words.length > 2 && SUFFIX.test(words.at(-1)!) && !INITIALS.test(words.at(-1)!) ? words.pop()! : ''
  const from = words.findIndex((word, index) => index > 0 && INITIALS.test(word))
  if (from < 1 || words.slice(from).some((word) => !INITIALS.test(word))) return undefined
  return build(words.slice(0, from).join(' '), words.slice(from).join(' '), suffix)
}

/**
 * Reads a name in any order: 'Family, Given', 'Family AB' or 'Given Family'. Particles belong to the family name. Without a
 * comma, a single word, a name of more than six words and a name with a word for an organisation are literal. Returns undefined
 * for an empty name.
 */
export function anyOrder(text: string): CslName | undefined {
  const name = clean(text)
  if (name.includes(',')) return familyFirst(name)
  const words = name.split(' ').filter(Boolean)
  if (words.length === 0) return undefined
  if (words.length === 1 || words.length > 6 || ORGANISATION.test(name)) return { literal: name }
  const initials = initialsLast(name)
  if (initials) return initials
  const suffix = words.length > 2 && SUFFIX.test(words.at(-1)!) ? words.pop()! : ''
  const particle = words.findIndex((word, index) => index > 0 && index < words.length - 1 && PARTICLES.has(word))
  const from = particle === -1 ? words.length - 1 : particle
  return build(words.slice(from).join(' '), words.slice(0, from).join(' '), suffix)
}

const join = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' ')

/** Returns the family name with its particle ('van Gogh'), or the literal name if the name has one. */
export const familyText = (name: CslName) => name.literal ?? join(name['non-dropping-particle'], name.family)

/** Returns 'Family, Given, Suffix', which `familyFirst` reads. Literal names are unchanged. */
export const sortedName = (name: CslName) =>
  [familyText(name), join(name.given, name['dropping-particle']), name.suffix].filter(Boolean).join(', ')

/** Returns 'Given Family', as the authors of a document are displayed. Literal names are unchanged. */
export const displayName = (name: CslName) => join(name.given, name['dropping-particle'], familyText(name), name.suffix)

/** Returns the normalized letters and digits of the family name without particles, to compare authors of different sources. */
export const nameKey = (name: CslName) => {
  const read = name.literal === undefined ? name : (anyOrder(name.literal) ?? name)
  return normalizeWithMap(read.family ?? read.literal ?? '').text
}
