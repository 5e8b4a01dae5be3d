import { planSearches } from '#server/ai/index.ts'
import { asActor } from '#server/db/client.ts'
import { searchWorks, type Work } from '#server/external/index.ts'
import type { Actor } from '#server/db/actor.ts'
import type { RecommendationReason } from '#shared/contract/recommendations.ts'
import { compare, type ComparedWork } from './compare.ts'
import { findTerms } from './find-terms.ts'
import { listDismissedTitles, listKept, listKnown } from './queries.ts'
import { rank } from './rank.ts'
import { type Identity, knownWorks } from './same-work.ts'
import { type PlannedSearch, widestSearch, writeSearches } from './write-searches.ts'

/** A recommended work with its score and reasons. */
export interface ChosenWork {
  work: Work
  score: number
  why: RecommendationReason
}

/** Result of a search for papers. */
export interface Research {
  chosen: ChosenWork[]
  /** Number of works that the searches returned. */
  found: number
  /** Name of the model that wrote the searches. */
  model: string
}

/** Maximum number of papers that one search recommends, because a user reviews the list. */
const CHOSEN = 12
const KEPT = 60
const DISMISSED = 60
const ENOUGH = 250
const TOO_FEW = 30
const KEYWORDS = 5
const RECENT_YEARS = 2
/**
 * A recommendation shows its most similar project paper if their similarity is at least this much above the median of the
 * candidates.
 */
const LIKE = 0.06
/** Types of works in OpenAlex that are not papers. */
const NO_PAPERS = new Set(
  'dataset erratum retraction peer-review grant editorial letter supplementary-materials paratext other standard reference-entry libguides'.split(
    ' ',
  ),
)

/**
 * Searches OpenAlex for papers that answer a question. Returns works that the project does not contain and that were never
 * recommended to it, best first. Stores nothing. `report` receives the progress in percent. Throws an AppError when OpenAlex
 * does not answer.
 */
export async function findResearch(
  actor: Actor,
  { question, projectId }: { question: string; projectId: string },
  { signal, report = () => undefined }: { signal: AbortSignal; report?: (progress: number, text: string) => void },
  now = new Date(),
): Promise<Research> {
  report(2, 'Reading the research question')
  const { known, kept, dismissed } = await asActor(actor, async (tx) => ({
    known: await listKnown(tx, projectId),
    kept: (await listKept(tx, projectId, KEPT)).flatMap(({ title, ...row }) => (title ? { ...row, title } : [])),
    dismissed: await listDismissedTitles(tx, projectId, DISMISSED),
  }))
  const ctx = { userId: actor.userId, projectId, signal } as const
  const plan = await planSearches(
    { question, titles: kept.slice(0, 10).map(({ title }) => title) },
    { ...ctx, purpose: 'answer' },
  )
  const { works, found } = await search(plan, commonKeywords(kept), known, { signal, report, now })
  if (works.length === 0) return { chosen: [], found, model: plan.model }
  report(70, `Comparing ${works.length} papers with the question`)
  const compared = await compare(works, { question, kept, dismissed }, { ...ctx, purpose: 'embedding' }, now)
  // OpenAlex also matches full texts, which may contain any word. Without a term in title or abstract, a paper is off topic.
  const relevant = compared
    .map((one) => ({ ...one, terms: findTerms(plan.phrases, `${one.work.title} ${one.work.abstract ?? ''}`) }))
    .filter(({ terms }) => terms.length > 0 || plan.searches.length > 0)
  const middle = middleOf(relevant.flatMap(({ like }) => like?.likeness ?? []))
  const chosen = rank(
    relevant.map(({ signals }) => signals),
    CHOSEN,
  ).map(({ index, score }) => {
    const { work, like, signals, terms } = relevant[index]!
    return { work, score, why: { terms, like: nameLike(like, middle), recent: (signals.age ?? 99) <= RECENT_YEARS } }
  })
  return { chosen, found, model: plan.model }
}

/**
 * Runs the searches one after the other until there are enough works. After a failure, returns the works found so far, or
 * throws if there are none.
 */
async function search(
  plan: { phrases: readonly string[]; searches: readonly string[] },
  keywords: readonly string[],
  known: readonly Identity[],
  { signal, report, now }: { signal: AbortSignal; report: (progress: number, text: string) => void; now: Date },
): Promise<{ works: Work[]; found: number }> {
  const seen = knownWorks(known)
  const works: Work[] = []
  let found = 0
  const failures: Error[] = []
  const ask = async ({ search: words, years, limit }: PlannedSearch) => {
    const from = years === null ? undefined : `${now.getUTCFullYear() - years}-01-01`
    try {
      for (const work of await searchWorks({ search: words, from, limit, signal })) {
        found += 1
        const identity = { doi: work.doi, title: work.title, date: work.publicationDate ?? String(work.year ?? '') }
        if (seen.has(identity) || NO_PAPERS.has(work.type ?? '')) continue
        seen.add(identity)
        works.push(work)
      }
    } catch (error) {
      signal.throwIfAborted()
      failures.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const searches = writeSearches(plan, keywords)
  for (const [at, planned] of searches.entries()) {
    if (works.length >= ENOUGH || failures.length > 0) break
    report(5 + (60 * at) / searches.length, `Searching OpenAlex (${at + 1} of ${searches.length})`)
    await ask(planned)
  }
  const widest = widestSearch(plan.phrases)
  if (works.length < TOO_FEW && widest && failures.length === 0) await ask(widest)
  if (failures[0] && works.length === 0) throw failures[0]
  return { works, found }
}

/**
 * Returns the five keywords that occur in the most papers of the project, most frequent first. A keyword in only one paper is
 * omitted.
 */
function commonKeywords(kept: readonly { keywords: readonly string[] }[]): string[] {
  const counts = new Map<string, number>()
  for (const { keywords } of kept)
    for (const word of new Set(keywords.map((keyword) => keyword.toLowerCase())))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > 1)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, KEYWORDS)
    .map(([word]) => word)
}

const middleOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function nameLike(like: ComparedWork['like'], middle: number): RecommendationReason['like'] {
  return like && like.likeness >= middle + LIKE ? { document_id: like.document_id, title: like.title } : null
}
