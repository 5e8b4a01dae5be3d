import { doiKey } from '#shared/doi.ts'

/** What two records are compared by. */
export interface Identity {
  /** In any form. */
  doi: string | null
  title: string | null
  /** yyyy-MM-dd, or only its year. */
  date: string | null
}

/** Titles shorter than this ('Introduction', 'Sleep and ageing') belong to many works. */
const TELLING = 20

/** Letters and digits alone, without accents: what stays of a title however it is written. */
export const titleKey = (title: string) =>
  title
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()

/** Works that are known, and know a work again. */
export interface KnownWorks {
  add(work: Identity): void
  has(work: Identity): boolean
}

/**
 * A work is known by its DOI, or else by its normalised title with the year. A preprint and the article of the next year
 * are one work under two DOIs; where a year is not known the title decides.
 */
export function knownWorks(works: readonly Identity[] = []): KnownWorks {
  const dois = new Set<string>()
  const titles = new Map<string, { year: number | null; doi: string | null }[]>()
  const add = (work: Identity) => {
    const { doi, key, year } = read(work)
    if (doi) dois.add(doi)
    if (key) titles.set(key, [...(titles.get(key) ?? []), { year, doi }])
  }
  const has = (work: Identity) => {
    const { doi, key, year } = read(work)
    if (doi && dois.has(doi)) return true
    return (titles.get(key) ?? []).some(
      (known) =>
        (key.length >= TELLING || !doi || !known.doi) &&
        (year === null || known.year === null || Math.abs(known.year - year) <= 1),
    )
  }
  for (const work of works) add(work)
  return { add, has }
}

const read = ({ doi, title, date }: Identity) => ({
  doi: doi ? doiKey(doi) : null,
  key: title ? titleKey(title) : '',
  year: date ? Number(/^\d{4}/.exec(date)?.[0]) || null : null,
})
