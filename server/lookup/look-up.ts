import { FRONT_CHARACTERS, readPaperName } from '#server/ai/index.ts'
import { asActor } from '#server/db/client.ts'
import { documentOrThrow, findDocumentText } from '#server/documents/index.ts'
import { findCrossrefWork, findCrossrefWorksByTitle, findWorkByDoi, findWorksByTitle } from '#server/external/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { isDoi } from '#shared/contract/doi.ts'
import { METADATA_SOURCES, type LookupAnswer, type MetadataSource } from '#shared/contract/lookup.ts'
import { doiOf } from '#shared/references/identifiers.ts'
import { joinWorks, type LookupQuery } from './join-works.ts'

/** Time limit for the requests to OpenAlex and Crossref, which run concurrently. */
const PATIENCE_MS = 25_000

/**
 * Queries OpenAlex and Crossref for the paper of a document, by DOI or title: `query`, or if it is undefined the DOI or title
 * of the document. Stores nothing. If one service fails, `failures` contains it. If both fail, throws an error with both
 * messages and the code of the first, where 'not_configured' becomes 'outside_failed'.
 */
export async function lookUp(
  actor: Actor,
  documentId: string,
  query: string | undefined,
  signal: AbortSignal,
): Promise<LookupAnswer> {
  const asked = query ? readQuery(query) : await queryOf(actor, documentId)
  if (query) await asActor(actor, (tx) => documentOrThrow(tx, documentId, 'edit'))
  return queryServices(asked, signal)
}

async function queryServices(asked: LookupQuery, signal: AbortSignal): Promise<LookupAnswer> {
  const { by, query: words } = asked
  const either = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const failures: { source: MetadataSource; message: string; error: AppError }[] = []
  const ask = async <T>(source: MetadataSource, question: Promise<readonly T[]>): Promise<readonly T[]> => {
    try {
      return await question
    } catch (error) {
      signal.throwIfAborted()
      const known = either.aborted
        ? new AppError('outside_slow', `${source} took too long to answer.`, { cause: error })
        : error
      if (!(known instanceof AppError)) throw error
      failures.push({ source, message: known.message, error: known })
      return []
    }
  }
  const isKnown = <T>(work: T | null): T[] => (work === null ? [] : [work])
  const [openAlex, crossref] = await Promise.all([
    ask('OpenAlex', by === 'doi' ? findWorkByDoi(words, either).then(isKnown) : findWorksByTitle(words, either)),
    ask(
      'Crossref',
      by === 'doi' ? findCrossrefWork(words, either).then(isKnown) : findCrossrefWorksByTitle(words, either),
    ),
  ])
  // A fixed order, regardless of which service failed first.
  failures.sort((a, b) => METADATA_SOURCES.indexOf(a.source) - METADATA_SOURCES.indexOf(b.source))
  if (failures.length === 2) throw bothFailed(failures)
  return {
    ...asked,
    papers: joinWorks(asked, openAlex, crossref),
    failures: failures.map(({ source, message }) => ({ source, message })),
  }
}

function bothFailed(failures: readonly { message: string; error: AppError }[]): AppError {
  const { code, retryAfter } = failures[0]!.error
  return new AppError(
    code === 'not_configured' ? 'outside_failed' : code,
    `Neither OpenAlex nor Crossref could be queried. ${failures.map(({ message }) => message).join(' ')}`,
    { cause: failures[0]!.error, ...(retryAfter === undefined ? {} : { retryAfter }) },
  )
}

function readQuery(query: string): LookupQuery {
  const doi = isDoi(query) ? doiOf(query) : undefined
  return doi ? { by: 'doi', query: doi } : { by: 'title', query: query.trim() }
}

/**
 * Returns the query for a document: its DOI, else the DOI printed on its first page, else its title, else the printed title.
 */
async function queryOf(actor: Actor, documentId: string): Promise<LookupQuery> {
  const { document, front } = await asActor(actor, async (tx) => ({
    document: await documentOrThrow(tx, documentId, 'edit'),
    front: await findDocumentText(tx, documentId, FRONT_CHARACTERS),
  }))
  if (document.doi_link && isDoi(document.doi_link)) return readQuery(document.doi_link)
  const { metadata = null, firstPage = null } = document.pdf_facts ?? {}
  const printed = front ? readPaperName({ text: front, metadata, firstPage }) : { doi: null, title: null }
  const query = printed.doi ?? (document.title?.trim() || printed.title)
  if (!query) throw new AppError('refused', 'Please give a DOI or a title to look up.')
  return readQuery(query)
}
