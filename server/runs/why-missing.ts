import { z } from 'zod'
import type { ComparedRow, RunInput } from '#shared/contract/runs.ts'

/** A passage that a model read, with its offsets in the text of the page. Page 0 has the title and the abstract. */
type ReadPlace = [documentId: string, page: number, start: number, end: number]
const readPlaces = z.array(z.tuple([z.string(), z.number(), z.number(), z.number()]))

/** Returns the places of passages, as the option `places` in the input of a run (a recorded answer) stores them. */
export const placesOf = (
  passages: readonly { document_id: string; page_number: number; page_offset: number; content: string }[],
): ReadPlace[] =>
  passages.map(({ document_id, page_number, page_offset, content }) => [
    document_id,
    page_number,
    page_offset,
    page_offset + content.length,
  ])

/**
 * Returns why one of two compared runs (recorded analyses or answers) does not have a value of the other: it read none of the
 * quoted papers, or none of the quoted passages. Null for a value of both runs, and if the reason is unknown: the value has no
 * quote, the run read a quoted passage, the papers have other texts, or an earlier version of Lectern stored the run.
 */
export function whyMissing(
  { one, other }: Pick<ComparedRow, 'one' | 'other'>,
  inputs: { one: RunInput; other: RunInput },
): ComparedRow['why_missing'] {
  const { evidence } = (one ?? other)!
  if ((one && other) || evidence.length === 0) return null
  const [own, lacking] = one ? [inputs.one, inputs.other] : [inputs.other, inputs.one]
  const [versions, known] = [versionsOf(own), versionsOf(lacking)]
  if (evidence.every(({ document_id: id }) => !known.has(id))) return 'paper'
  const { data: places } = readPlaces.safeParse(lacking.options['places'])
  if (!places) return null
  const isUnread = ({ document_id: id, page, start, end }: (typeof evidence)[number]) =>
    !known.has(id) ||
    (known.get(id) === versions.get(id) &&
      !places.some(
        ([paper, onPage, from, to]) =>
          paper === id && onPage === (page ?? 0) && (start === null || end === null || (start < to && from < end)),
      ))
  return evidence.every(isUnread) ? 'passage' : null
}

const versionsOf = ({ documents }: RunInput) => new Map(documents.map(({ id, text_version }) => [id, text_version]))
