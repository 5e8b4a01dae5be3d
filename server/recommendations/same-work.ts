import { doiKey } from '#shared/contract/doi.ts'

/** The fields that identify a work. */
export interface Identity {
  /** A DOI in any form. */
  doi: string | null
  title: string | null
  /** yyyy-MM-dd, or the year only. */
  date: string | null
}

/**
 * Minimum length of a normalized title that identifies a work. Shorter titles ('Introduction', 'Sleep and ageing') belong to
 * many works.
 */
const TELLING = 20

/** Normalizes a title: only letters and digits, in lower case and without accents. */
export const titleKey = (title: string) =>
  title
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()

/** A set of works. `has` also recognizes a work in a different record, for example the article of a preprint. */
export interface KnownWorks {
  add(work: Identity): void
  has(work: Identity): boolean
}

/**
 * Creates a set of known works. Two records are the same work if they have the same DOI. They are also the same work if they
 * have the same normalized title and their years differ by at most one, because a preprint and its article have different DOIs.
 * With a short title, records with different DOIs are different works. An unknown year matches every year.
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
