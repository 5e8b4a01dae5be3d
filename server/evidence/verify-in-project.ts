import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import { checkProject } from '#server/projects/index.ts'
import type { Evidence } from '#shared/contract/evidence.ts'
import { UNSPACED } from '#shared/passages/whole-words.ts'
import { findEvidence } from './find-evidence.ts'
import { findNewestPapers, findPapersWith } from './queries.ts'

/** Maximum number of papers that are searched (MOST_PAPERS), and time limit of the search in ms (LIMIT_MS). */
const MOST_PAPERS = 200
const LIMIT_MS = 2000
const AT_ONCE = 4
/** Number of words of the quote by which the papers are chosen: its longest words, which are usually its rarest. */
const CHOOSING_WORDS = 6

/** The result of the search for a quote in a project: the passage of a paper that matches the quote best. */
export interface Verified {
  /** Null if no paper was searched. */
  best: Evidence | null
  searched: number
  /** Number of papers to search, including those for which the limits left no time. */
  chosen: number
}

/**
 * Finds a quote in those papers of a project that contain the words of the quote. A quote in a script without spaces between
 * words is also searched in the other papers, newest first. Ends at the first match that is exact or differs only in
 * punctuation and spacing, after 200 papers or after two seconds. Throws 'not_found' for a project that the caller cannot read.
 */
export async function verifyInProject(
  actor: Actor,
  projectId: string,
  quote: string,
  signal: AbortSignal,
): Promise<Verified> {
  const { ids, chosen } = await asActor(
    actor,
    async (tx) => {
      const found = await findPapersWith(tx, projectId, choosingWords(quote), MOST_PAPERS)
      // A project that the caller does not read has no rows.
      if (found.length === 0) await checkProject(tx, projectId, 'read')
      if (!UNSPACED.test(quote)) return { ids: found, chosen: found.length }
      // PostgreSQL counts the characters between two punctuation marks as one word, and a quote can begin within this word.
      const others = await findNewestPapers(tx, projectId, { except: found, limit: MOST_PAPERS - found.length })
      return { ids: [...found, ...others.ids], chosen: found.length + others.count }
    },
    projectId,
  )
  const end = new AbortController()
  const limited = AbortSignal.any([signal, end.signal, AbortSignal.timeout(LIMIT_MS)])
  const waiting = ids.values()
  let best: Evidence | null = null
  let searched = 0
  const searchNext = async () => {
    for (const id of waiting) {
      if (limited.aborted) return
      const found = await findEvidence(actor, id, [{ quote }], limited).catch((error: unknown) => {
        // A paper that was deleted meanwhile, or the end of the search.
        if (!limited.aborted) log.debug({ err: error }, 'a paper could not be searched for a quote')
        return []
      })
      const one = found[0]
      if (!one) continue
      searched += 1
      if (best === null || one.score > best.score) best = one
      if (one.match === 'exact' || one.match === 'letters') end.abort()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, searchNext))
  signal.throwIfAborted()
  return { best, searched, chosen }
}

const choosingWords = (quote: string) =>
  [...new Set(quote.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, CHOOSING_WORDS)
    .join(' ')
