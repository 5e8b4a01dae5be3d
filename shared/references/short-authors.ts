import type { CslName } from '#shared/contract/references.ts'
import { familyText, initialsLast } from './names.ts'
import { isGroup, splitName } from './split-name.ts'

/**
 * Returns the family names of one or two authors ('Smith & Jones'), of the first of more authors with 'et al.' ('Smith et
 * al.'), or '' without authors. The name of an organization, and a name without a known family name, is unchanged. An author is
 * a CSL name or a displayed name.
 */
export function shortAuthors(authors: readonly (CslName | string)[]): string {
  const names = authors.map(shortName).filter(Boolean)
  return names.length > 2 ? `${names[0]} et al.` : names.join(' & ')
}

/**
 * Returns the short form of the authors of a reference, such as 'Smith et al.' (see `shortAuthors`). Uses the names in
 * `displayed` if the reference has no authors.
 */
export const shortAuthorsOf = (reference: { author?: readonly CslName[] | undefined }, displayed: readonly string[]) =>
  shortAuthors(reference.author?.length ? reference.author : displayed)

function shortName(author: CslName | string): string {
  const name = typeof author === 'string' ? splitName(author) : author
  if (name.literal === undefined) return familyText(name) || (name.given ?? '')
  // 'Smith JA' is stored as a literal name, because a split would change the order of its parts.
  return isGroup(name.literal) ? name.literal : familyText(initialsLast(name.literal) ?? name)
}
