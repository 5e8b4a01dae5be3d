import { asActor, type Tx } from '#server/db/client.ts'
import { findRetracted, isOnlyYear } from '#server/external/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import { publish } from '#server/events/events.ts'
import { enqueue } from '#server/queue/queue.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/db/actor.ts'
import { addPaper } from '#server/lookup/index.ts'
import { authorize, type Authorized } from '#server/members/index.ts'
import { checkProject, projectOrThrow } from '#server/projects/index.ts'
import { doiKey, doiText, isDoi } from '#shared/contract/doi.ts'
import { job, type Job } from '#shared/contract/jobs.ts'
import {
  type AddedRecommendation,
  NO_QUESTION,
  recommendation,
  type Recommendation,
  type RecommendationChange,
  type RecommendationsQuery,
  type RecommendedPaper,
} from '#shared/contract/recommendations.ts'
import {
  deleteRecommendationRows,
  findActiveResearch,
  findRecommendationRow,
  insertRecommendationRows,
  listExisting,
  listKnown,
  listPendingDois,
  listRecommendationRows,
  lockRecommendations,
  type NewRecommendation,
  type StoredRecommendation,
  updateRecommendationRow,
} from './queries.ts'
import { type ChosenWork, findResearch } from './research.ts'
import { knownWorks } from './same-work.ts'

/** Maximum number of pending recommendations that are checked for retraction during a search. */
const PENDING_LIMIT = 60

const present = (row: StoredRecommendation): Recommendation => recommendation.parse(row)
const resolver = (doi: string) => `https://doi.org/${doiText(doi)}`

/**
 * Removes the similar paper from the reasons of a recommendation if its document was deleted. `there` has the ids of the
 * existing documents.
 */
const withoutLost = (row: StoredRecommendation, there: ReadonlySet<string>): StoredRecommendation =>
  row.why?.like && !there.has(row.why.like.document_id) ? { ...row, why: { ...row.why, like: null } } : row

/**
 * Returns a page of the pending or dismissed recommendations of a project. Recommendations that were added as papers are
 * omitted.
 */
export const listRecommendations = (actor: Actor, query: RecommendationsQuery) =>
  asActor(actor, async (tx) => {
    await checkProject(tx, query.project_id, 'read')
    const { data, count } = await listRecommendationRows(tx, query)
    const named = await listExisting(
      tx,
      data.flatMap(({ why }) => why?.like?.document_id ?? []),
    )
    return { data: data.map((row) => present(withoutLost(row, named))), count }
  })

/**
 * Starts a job that searches for papers to recommend. Returns the active job of the project if there is one, so that a double
 * click starts only one search. Throws 'refused' for a project without a research question.
 */
export const startResearch = (actor: Actor, projectId: string): Promise<Job> =>
  asActor(actor, async (tx) => {
    const project = await projectOrThrow(tx, projectId, 'edit')
    if (!project.research_question?.trim()) throw new AppError('refused', NO_QUESTION)
    await lockRecommendations(tx, projectId)
    const active = await findActiveResearch(tx, projectId)
    if (active) return job.parse({ ...active, is_own: active.owner_id === actor.userId })
    return enqueue(tx, { kind: 'research', ownerId: actor.userId, documentId: null, projectId, input: {} })
  })

/**
 * Implements POST /functions/v1/research-agent: searches for papers that answer a question, and returns them without storing
 * them.
 */
export async function researchPapers(
  actor: Actor,
  { question, projectId }: { question: string; projectId: string },
  signal: AbortSignal,
): Promise<RecommendedPaper[]> {
  await asActor(actor, (tx) => checkProject(tx, projectId, 'ask'))
  const { chosen } = await findResearch(actor, { question, projectId }, { signal })
  return chosen.map(({ work }) => ({
    title: work.title,
    publication_date: work.publicationDate,
    abstract: work.abstract,
    doi_link: work.doi && resolver(work.doi),
    pdf_link: work.pdfUrl,
  }))
}

/**
 * Stores papers as pending recommendations, and returns the new recommendations. Omits papers that the project contains or that
 * were recommended to it before.
 */
export const saveRecommendations = (actor: Actor, projectId: string, papers: readonly RecommendedPaper[]) =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'edit')
    const rows = papers.map((paper, at) => ({
      ...paper,
      doi_link: paper.doi_link && isDoi(paper.doi_link) ? resolver(paper.doi_link) : null,
      // Keeps the given order.
      score: 1 - at / papers.length,
    }))
    return (await insertNew(tx, actor, projectId, rows)).map(present)
  })

/** Stores the result of a search as pending recommendations. Returns the number of new recommendations. */
export async function saveChosen(
  tx: Tx,
  actor: Actor,
  projectId: string,
  chosen: readonly ChosenWork[],
): Promise<number> {
  const rows = chosen.map(({ work, score, why }) => ({
    title: work.title,
    publication_date: work.publicationDate,
    abstract: work.abstract,
    doi_link: work.doi && resolver(work.doi),
    pdf_link: work.pdfUrl,
    authors: work.authors.slice(0, 100),
    journal_name: work.journal,
    link: work.landingUrl,
    openalex_id: work.id,
    open_access: work.isOpenAccess,
    cited_by: work.citedBy,
    score,
    why,
  }))
  return (await insertNew(tx, actor, projectId, rows)).length
}

/**
 * Deletes the pending recommendations of a project whose papers have been retracted. Called during a search for papers to
 * recommend. A failure of OpenAlex is logged and not thrown, so that this search continues.
 */
export async function withdrawRetracted(actor: Actor, projectId: string, signal: AbortSignal): Promise<void> {
  const pending = await asActor(actor, (tx) => listPendingDois(tx, projectId, PENDING_LIMIT))
  const dois = pending.map(({ doi }) => doiKey(doi))
  const retracted = await findRetracted(dois, signal).catch((error: unknown): string[] => {
    signal.throwIfAborted()
    log.warn({ err: error }, 'could not check for retractions')
    return []
  })
  const retractedIds = pending.filter(({ doi }) => retracted.includes(doiKey(doi))).map(({ id }) => id)
  // Deleted instead of dismissed: a dismissal would lower the rank of similar papers.
  if (retractedIds.length > 0) await asActor(actor, (tx) => deleteRecommendationRows(tx, retractedIds))
}

/**
 * Sets the status of a recommendation, for example to dismissed. Throws 'not_found', or 'changed' when another member changed
 * the status after `version`.
 */
export const changeRecommendation = (
  actor: Actor,
  id: string,
  { status, version }: RecommendationChange,
): Promise<Recommendation> =>
  asActor(actor, async (tx) => {
    const { project_id } = await recommendationOrThrow(tx, id)
    await lockRecommendations(tx, project_id)
    refuseStaleChange(await recommendationOrThrow(tx, id), { status }, version, present)
    const row = await updateRecommendationRow(tx, id, { status })
    await publishChange(tx, actor, row.project_id)
    return present(row)
  })

/** Adds a recommended paper to its project and searches for its open-access PDF in the background. */
export async function addRecommendation(actor: Actor, id: string): Promise<AddedRecommendation> {
  const row = await asActor(actor, (tx) => recommendationOrThrow(tx, id))
  const {
    document,
    created,
    job: search,
  } = await addPaper(
    actor,
    {
      project_id: row.project_id,
      title: row.title,
      doi: row.doi_link,
      authors: row.authors,
      journal: row.journal_name,
      ...dateOf(row),
      abstract: row.abstract,
      link: row.link,
      pdf_url: row.pdf_link,
      semantic_paperid: row.openalex_id,
    },
    'recommendation',
  )
  const added = await asActor(actor, async (tx) => {
    await publishChange(tx, actor, row.project_id)
    return updateRecommendationRow(tx, id, { added_at: new Date().toISOString(), document_id: document.id })
  })
  return { recommendation: present(added), document, created, job: search }
}

/** Returns the day of publication, or only the year for a work of OpenAlex whose day OpenAlex does not have. */
function dateOf({ publication_date: day, openalex_id }: StoredRecommendation) {
  return day && openalex_id && isOnlyYear(day) ? { year: Number(day.slice(0, 4)) } : { date: day }
}

async function insertNew(
  tx: Tx,
  actor: Actor,
  projectId: string,
  rows: readonly Omit<NewRecommendation, 'project_id' | 'owner_id'>[],
): Promise<StoredRecommendation[]> {
  await lockRecommendations(tx, projectId)
  const known = knownWorks(await listKnown(tx, projectId))
  const fresh: NewRecommendation[] = []
  for (const row of rows) {
    const identity = { doi: row.doi_link ?? null, title: row.title, date: row.publication_date ?? null }
    if (known.has(identity)) continue
    known.add(identity)
    fresh.push({ ...row, project_id: projectId, owner_id: actor.userId })
  }
  if (fresh.length === 0) return []
  await publishChange(tx, actor, projectId)
  return insertRecommendationRows(tx, fresh)
}

const publishChange = (tx: Tx, actor: Actor, projectId: string) =>
  publish(
    tx,
    { projectId },
    { event: 'project', data: { id: projectId, change: 'updated', part: 'recommendations', by: actor.userId } },
  )

const recommendationOrThrow = async (tx: Tx, id: string): Promise<Authorized<StoredRecommendation>> =>
  authorize(await findRecommendationRow(tx, id), 'edit', 'Recommendation')
