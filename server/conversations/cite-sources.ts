import { citeUnnumbered, titleOfStyle } from '#server/citations/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import type { StoredSource } from '#server/db/stored-answers.ts'
import { AppError } from '#server/lib/errors.ts'
import { shortAuthorsOf } from '#shared/references/short-authors.ts'
import { listCited } from './answer-queries.ts'

/** A paper with its source number in the conversation. */
export interface NumberedPaper {
  document_id: string
  number: number
}

/** Returns papers as sources, cited in the style of the project. A paper that was deleted in the meantime is omitted. */
export async function citeSources(actor: Actor, papers: readonly NumberedPaper[]): Promise<StoredSource[]> {
  if (papers.length === 0) return []
  const ids = papers.map(({ document_id }) => document_id)
  const rows = new Map((await asActor(actor, (tx) => listCited(tx, ids))).map((row) => [row.id, row]))
  const sources: StoredSource[] = []
  for (const { document_id, number } of papers) {
    const row = rows.get(document_id)
    if (!row) continue
    const { title, year, evidence_level, retracted } = row
    const authors = shortAuthorsOf({ author: row.author_names ?? [] }, row.authors)
    const citation = (await formatted(actor, document_id)) ?? unformatted([authors, year, title])
    sources.push({ number, document_id, title, authors, year, evidence_level, retracted, citation })
  }
  return sources
}

/**
 * Returns the citation of a paper without the number of a numeric style, because a source has its own number. Returns null if
 * citations are off, or the style cannot cite the paper.
 */
async function formatted(actor: Actor, id: string): Promise<StoredSource['citation'] | null> {
  try {
    const { html, text, styleId } = await citeUnnumbered(actor, id)
    return text === '' ? null : { html, text, style: await titleOfStyle(actor, styleId) }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function unformatted(parts: readonly (string | number | null)[]): StoredSource['citation'] {
  const text = parts.filter((part) => part !== null && part !== '').join('. ')
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return { html, text, style: null }
}
