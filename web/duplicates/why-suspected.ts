import type { Resemblance } from '#shared/contract/duplicates.ts'

const IDS = [
  ['doi', 'DOI'],
  ['pmid', 'PMID'],
  ['pmcid', 'PMCID'],
  ['arxiv', 'arXiv id'],
  ['isbn', 'ISBN'],
] as const
const PLACES = [
  ['volume', 'volume'],
  ['firstPage', 'first page'],
] as const

/** Returns why two papers are suspected to be the same: 'Titles 97% alike, same first author, same volume'. */
export function whySuspected({ title_likeness, title_begins, equal, years_apart }: Resemblance): string {
  const named = (fields: typeof IDS | typeof PLACES) =>
    fields.filter(([field]) => equal.includes(field)).map(([, name]) => `same ${name}`)
  const title =
    title_likeness === 1
      ? 'same title'
      : title_begins
        ? 'one title begins the other'
        : `titles ${Math.floor(title_likeness * 100)}% alike`
  const year =
    years_apart === null || years_apart === 0
      ? []
      : [`${years_apart === 1 ? 'one year' : `${years_apart} years`} apart`]
  const same = [
    ...(equal.includes('firstAuthor') ? ['same first author'] : []),
    ...(equal.includes('year') ? ['same year'] : year),
  ]
  const text = [...named(IDS), title, ...same, ...named(PLACES)].join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
