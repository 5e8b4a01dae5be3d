import { setImmediate } from 'node:timers/promises'
import { findPassage } from '#shared/find-passage.ts'
import { splitPages } from '#shared/page-text.ts'
import type { Passage, PassageField } from '#shared/passages.ts'
import { splitSentences } from '#shared/sentences.ts'
import type { StoredDocument } from './queries.ts'

type Statements = Partial<Pick<StoredDocument, PassageField | 'extracted_text'>>

/**
 * The passages after `change`: statements that stay keep their quote (looked up again when the text changed), new
 * statements are looked up by their own words, and passages of statements that are gone go with them. Gives way to other
 * work between look-ups: in a long book, each takes milliseconds.
 */
export async function passagesAfterEdit(before: StoredDocument, change: Statements): Promise<Passage[]> {
  const textChanged = change.extracted_text !== undefined && change.extracted_text !== before.extracted_text
  const touched = (Object.keys(FIELDS) as PassageField[]).filter(
    (field) => change[field] !== undefined && !same(change[field], before[field]),
  )
  if (!textChanged && touched.length === 0) return before.passages
  const pages = splitPages((textChanged ? change.extracted_text : before.extracted_text) ?? '')
  const known = new Map(before.passages.map((passage) => [`${passage.field} ${passage.statement}`, passage]))
  const fields = textChanged ? (Object.keys(FIELDS) as PassageField[]) : touched
  const kept = before.passages.filter((passage) => !fields.includes(passage.field))
  const found: Passage[] = []
  for (const field of fields) {
    for (const [item, statement] of FIELDS[field]({ ...before, ...change }[field]).entries()) {
      const old = known.get(`${field} ${statement}`)
      if (old && !textChanged) {
        found.push({ ...old, item })
        continue
      }
      const quote = old?.quote ?? statement
      found.push({ field, item, statement, ...findPassage(pages, quote, { nearPage: old?.page ?? undefined }) })
      await setImmediate()
    }
  }
  return [...kept, ...found]
}

const asOne = (value: unknown) => (typeof value === 'string' && value.trim() ? [value] : [])
const asList = (value: unknown) => (Array.isArray(value) ? (value as string[]) : [])
const asSentences = (value: unknown) =>
  typeof value === 'string' ? splitSentences(value).map(({ start, end }) => value.slice(start, end)) : []

/** How each field falls into statements. */
const FIELDS: Record<PassageField, (value: unknown) => string[]> = {
  title: asOne,
  doi_link: asOne,
  publication_date: asOne,
  journal_name: asOne,
  evidence_level: asOne,
  social_post: asOne,
  summary: asSentences,
  lifestyle_recommendations: asSentences,
  insights: asList,
  keywords: asList,
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
