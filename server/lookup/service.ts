import { asActor, type Tx } from '#server/db/client.ts'
import { documentOrThrow, insertPaper, lockAdditions, markProcessing, presentRow } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ImportKind } from '#server/imports/index.ts'
import { processNewPapers } from '#server/processing/index.ts'
import { enqueueOnce } from '#server/queue/queue.ts'
import type { Actor } from '#server/db/actor.ts'
import { checkProject } from '#server/projects/index.ts'
import { calendarDay } from '#shared/contract/calendar-day.ts'
import { doiKey, doiText, isDoi } from '#shared/contract/doi.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { storableText } from '#shared/text/storable-text.ts'
import { findPaper } from './queries.ts'

/** The stored input of a job that searches for a PDF. */
export interface QueuedFetch {
  /** The DOI at the time of the request. The job uses the DOI that the document has when the job runs. */
  doi: string | null
  pdf_url: string | null
}

/**
 * A paper from a feed, a recommendation or the public API. An invalid DOI, address or date is ignored instead of refused,
 * because feeds and services contain many invalid values.
 */
export interface NewPaper {
  project_id: string
  title: string
  doi?: string | null | undefined
  authors?: readonly string[] | undefined
  journal?: string | null | undefined
  date?: string | null | undefined
  /** The year of publication, if `date` is not known. */
  year?: number | undefined
  abstract?: string | null | undefined
  link?: string | null | undefined
  pdf_url?: string | null | undefined
  semantic_paperid?: string | null | undefined
  retracted?: boolean | undefined
}

/**
 * Creates a document from a paper's metadata and queues the search for its open-access PDF. A project has each paper only
 * once: if the paper exists, returns its document unchanged.
 */
export async function addPaper(actor: Actor, given: NewPaper, kind: ImportKind): Promise<AddedPaper> {
  const { project_id } = given
  const { pdf_url, doi, ...paper } = readPaper(given)
  const key = doi && doiKey(doi)
  const added: AddedPaper = await asActor(actor, async (tx) => {
    await checkProject(tx, project_id, 'edit')
    await lockAdditions(tx, project_id)
    const known = await findPaper(tx, project_id, { doi: key, title: paper.title, link: paper.link })
    if (known) return { document: presentRow(known), created: false, job: null }
    const document = await insertPaper(tx, actor, project_id, { ...paper, doi_link: doi }, kind)
    if (!doi && !pdf_url) return { document, created: true, job: null }
    const { job } = await enqueueFetch(tx, actor, document, { doi, pdf_url })
    return { document: presentRow(await markProcessing(tx, document.id)), created: true, job }
  })
  // The end of a search for a PDF does the same.
  if (added.created && added.job === null) await processNewPapers(actor, { document_ids: [added.document.id] })
  return added
}

function readPaper(given: NewPaper) {
  const text = (value: string | null | undefined, max: number) =>
    storableText(value ?? '')
      .trim()
      .slice(0, max)
      .toWellFormed() || null
  const address = (value: string | null | undefined) =>
    value && /^https?:\/\//i.test(value) && URL.canParse(value) ? value.slice(0, 2000) : null
  const title = text(given.title, 2000)
  if (!title) throw new AppError('refused', 'Title is required', { fields: { title: 'Title is required' } })
  return {
    title,
    doi: given.doi && isDoi(given.doi) ? text(doiText(given.doi), 500) : null,
    authors: (given.authors ?? []).flatMap((name) => text(name, 300) ?? []),
    journal_name: text(given.journal, 500),
    publication_date: calendarDay.safeParse(given.date).data ?? null,
    ...(given.year && { reference: { issued: { 'date-parts': [[given.year]] } } }),
    abstract: text(given.abstract, 50_000),
    link: address(given.link),
    pdf_url: address(given.pdf_url),
    semantic_paperid: text(given.semantic_paperid, 200),
    retracted: given.retracted ?? false,
  }
}

/** Queues a job that searches for the open-access PDF of a document that has a DOI and no file. */
export function fetchFile(actor: Actor, documentId: string): Promise<Job> {
  return asActor(actor, async (tx) => {
    const document = await documentOrThrow(tx, documentId, 'edit')
    if (document.source_url) throw new AppError('conflict', 'This document has a PDF already.')
    const doi = document.doi_link ? doiText(document.doi_link) : ''
    if (!doi) throw new AppError('refused', 'This document has no DOI. Add one to search for a PDF.')
    const { job, isNew } = await enqueueFetch(tx, actor, document, { doi, pdf_url: null })
    if (isNew) await markProcessing(tx, documentId)
    return job
  })
}

/**
 * Queues, for each of the documents, a job that searches for the open-access PDF of the document. Queues all jobs in one
 * transaction and returns them by document id. Skips documents with a file or without a DOI, documents that are deleted
 * meanwhile, and documents for which a search with another DOI is active.
 */
export async function fetchFiles(actor: Actor, documentIds: readonly string[]): Promise<Map<string, Job>> {
  const skipped = new Set<string>()
  for (;;) {
    let id: string | undefined
    try {
      return await asActor(actor, async (tx) => {
        const jobs = new Map<string, Job>()
        for (id of documentIds) {
          if (skipped.has(id)) continue
          const document = await documentOrThrow(tx, id, 'edit')
          const doi = document.doi_link ? doiText(document.doi_link) : ''
          if (document.source_url || !doi) continue
          const { job, isNew } = await enqueueFetch(tx, actor, document, { doi, pdf_url: null })
          jobs.set(id, job)
          if (isNew) await markProcessing(tx, id)
        }
        return jobs
      })
    } catch (error) {
      const isOfDocument = error instanceof AppError && (error.code === 'not_found' || error.code === 'conflict')
      if (!isOfDocument || id === undefined) throw error
      skipped.add(id)
    }
  }
}

const enqueueFetch = (
  tx: Tx,
  actor: Actor,
  { id, project_id }: { id: string; project_id: string | null },
  input: QueuedFetch,
) =>
  enqueueOnce(tx, { kind: 'fetch', ownerId: actor.userId, documentId: id, projectId: project_id, input: { ...input } })
