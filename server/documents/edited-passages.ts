import type { Actor } from '#server/db/actor.ts'
import { findPassages } from '#server/texts/index.ts'
import type { FoundPassage, Passage, PassageField } from '#shared/contract/passages.ts'
import { splitSentences } from '#shared/passages/sentences.ts'
import { abstractText } from './abstract-text.ts'
import { lazyText } from './lazy-text.ts'
import type { StoredDocument } from './queries.ts'
import { relocatePassages } from './relocate-passages.ts'

/** A change of statements. `extracted_text` is present only if the text changes. */
type Statements = Partial<Pick<StoredDocument, PassageField | 'abstract'>> & { extracted_text?: string }

/**
 * Returns the passages of a document (the quotes that support its statements, with their places) after an edit. `change` has
 * the edited statements or the new text. An unchanged statement keeps its passage; if the text changes, its quote is searched
 * in the new text. For a new statement, searches its own words. Removes the passages of removed statements. A keyword without a
 * passage gets none, so that keywords with a passage are those of an analysis.
 */
export async function passagesAfterEdit(actor: Actor, before: StoredDocument, change: Statements): Promise<Passage[]> {
  const abstract = abstractText({ ...before, ...change })
  const newText = change.extracted_text ?? (abstract === abstractText(before) ? undefined : (abstract ?? ''))
  const isAbstract = abstract !== null && change.extracted_text === undefined
  const textChanged = newText !== undefined
  const touched = (Object.keys(FIELDS) as PassageField[]).filter(
    (field) => change[field] !== undefined && !same(change[field], before[field]),
  )
  if (!textChanged && touched.length === 0) return before.passages
  const known = new Map(before.passages.map((passage) => [`${passage.field} ${passage.statement}`, passage]))
  const fields = textChanged ? (Object.keys(FIELDS) as PassageField[]) : touched
  const unchanged = before.passages.filter((passage) => !fields.includes(passage.field))
  const statements = fields
    .flatMap((field) =>
      FIELDS[field]({ ...before, ...change }[field]).map((statement, item) => ({
        field,
        item,
        statement,
        old: known.get(`${field} ${statement}`),
      })),
    )
    .filter(({ field, old }) => field !== 'keywords' || old)
  const stays = (old: Passage | undefined) => (textChanged ? undefined : old)
  const wanted = statements.filter(({ old }) => !stays(old))
  const searched = await findPassages(
    { person: actor.userId },
    newText ?? abstract ?? (wanted.length > 0 ? await lazyText(actor, before.id) : ''),
    wanted.map(({ old, statement }) => ({ quote: old?.quote ?? statement, nearPage: old?.page ?? undefined })),
  )
  const former = wanted.map(({ old }) => old)
  const found =
    change.extracted_text === undefined || !before.has_text
      ? searched
      : await relocatePassages(actor, before.id, change.extracted_text, former, searched)
  const fresh = new Map(wanted.map((one, index) => [one, found[index]!]))
  return [
    ...unchanged,
    ...statements.map((one) => {
      const { field, item, statement, old } = one
      const standing = stays(old)
      if (standing) return { ...standing, item }
      const place = { field, item, statement, ...fresh.get(one)! }
      return isAbstract ? withoutPage(place) : place
    }),
  ]
}

/** Returns a passage without page and offsets, because a title or an abstract has no pages. */
export const withoutPage = <One extends Pick<FoundPassage, 'page' | 'start' | 'end'>>(found: One): One => ({
  ...found,
  page: null,
  start: null,
  end: null,
})

const asOne = (value: unknown) => (typeof value === 'string' && value.trim() ? [value] : [])
const asList = (value: unknown) => (Array.isArray(value) ? (value as string[]) : [])
const asSentences = (value: unknown) =>
  typeof value === 'string' ? splitSentences(value).map(({ start, end }) => value.slice(start, end)) : []

/** For each field, the function that splits its value into statements (texts for which a passage is searched). */
const FIELDS: Record<PassageField, (value: unknown) => string[]> = {
  title: asOne,
  authors: asList,
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
