import { boundedReference, boundedTags, type ReadRecord } from '#server/formats/index.ts'
import { candidateKeys, comparedReference, compareReferences, type ComparedReference } from '#server/matching/index.ts'
import { newCitationKey } from '#shared/references/citation-key.ts'
import { LONG_TITLE } from '#shared/references/title-match.ts'
import { storableText } from '#shared/text/storable-text.ts'
import { filledReference } from './fill-reference.ts'
import type { CandidateKeys, PlannedRecord, RecordChoices, SourceRecord } from './tasks.ts'

/**
 * Maximum number of papers with the same comparison key with which a record is compared. Many different papers can share a key,
 * for example a wrong DOI.
 */
const SAME_KEY_MAX = 50
const ID = /^(?:doi|pmid|pmcid|arxiv|isbn):/

/**
 * Returns the keys of a reference ('doi:…', 'title:…') by which its duplicates are found. Two papers that are certainly the
 * same have at least one key in common.
 */
export function certainKeys(compared: ComparedReference): string[] {
  const ids = candidateKeys(compared).filter((key) => ID.test(key))
  return compared.title.length >= LONG_TITLE ? [...ids, `title:${compared.title}`] : ids
}

/**
 * Returns the keys of records, grouped by kind (DOI, title …). The database uses them to find papers that could be the same.
 */
export function keysOf(records: readonly PlannedRecord[]): CandidateKeys {
  const keys: CandidateKeys = { doi: [], pmid: [], pmcid: [], arxiv: [], isbn: [], title: [] }
  for (const { paper } of records)
    for (const key of paper ? certainKeys(comparedReference(paper)) : []) {
      const colon = key.indexOf(':')
      keys[key.slice(0, colon) as keyof CandidateKeys].push(key.slice(colon + 1))
    }
  return keys
}

type Planned = Omit<ReadRecord, 'line' | 'reference' | 'reason'> & SourceRecord & { line: number | null }

/**
 * Prepares the records of one import for the comparison with the papers of the project. The result has the list `records` and a
 * function `add`, to call for each record in the order of the import. `add` appends the record to the list. With
 * `joinDuplicates`, it also finds the earlier record that is certainly the same paper. A record gets the `tags`, and with
 * `groupsAsTags` also the names of its own groups. With `keepCitationKeys`, a record keeps its citation key, if it has one;
 * otherwise it gets a new key.
 */
export function createPlan({ joinDuplicates, keepCitationKeys, groupsAsTags, tags }: RecordChoices) {
  const records: PlannedRecord[] = []
  const known = new Map<string, { record: PlannedRecord; compared: ComparedReference }[]>()

  function findWithin(compared: ComparedReference): PlannedRecord | undefined {
    for (const key of certainKeys(compared))
      for (const other of known.get(key) ?? [])
        if (compareReferences(other.compared, compared) === 'certain') return other.record
    return undefined
  }

  return {
    records,
    add({ position, line, raw, reference, reason, tags: groups = [], decision, isSkipped }: Planned): void {
      const start = { position, line, raw: storableText(raw) }
      if (!reference) {
        const why = storableText(reason ?? 'This record cannot be read.')
        records.push({ ...start, reference: null, reason: why, tags: [], isSkipped })
        return
      }
      const item = boundedReference(reference, decision)
      const own = boundedTags([...tags, ...(groupsAsTags ? groups : [])])
      const record: PlannedRecord = { ...start, reference: item, reason: null, tags: own }
      records.push(record)
      const compared = comparedReference(item)
      const first = joinDuplicates ? findWithin(compared) : undefined
      if (first) {
        record.within = first.position
        first.paper = filledReference(first.paper!, item) ?? first.paper!
        first.tags = boundedTags([...first.tags, ...record.tags])
        return
      }
      const key = (keepCitationKeys && item['citation-key']) || newCitationKey(item)
      record.paper = { ...item, 'citation-key': key }
      for (const one of certainKeys(compared)) {
        const same = known.get(one) ?? []
        if (same.length < SAME_KEY_MAX) known.set(one, [...same, { record, compared }])
      }
    },
  }
}
