import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import type { StoredLibraryAnswer, StoredPassage, StoredSource } from '#server/db/stored-answers.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { notFound } from '#server/lib/errors.ts'
import { moveEvidence, storeEvidence, type FoundEvidence } from '#server/evidence/index.ts'
import type { AnswerSentence, LibraryAnswer, SentenceMark, StoredEvidence } from '#shared/contract/conversations.ts'
import type { RunValue } from '#shared/contract/runs.ts'
import { type RunOrigin, type RunRequest, startRun } from '#server/runs/index.ts'
import { addSources, listKept, listSources, updateAnswer } from './answer-queries.ts'
import { answerValues } from './answer-values.ts'
import { citeSources } from './cite-sources.ts'
import { labelSides } from './label-sides.ts'
import type { NearestPassages } from './nearest-passages.ts'
import { lockConversation } from './service.ts'

/** A sentence of an answer, with its quotes that were found in the papers. */
export interface VerifiedSentence {
  text: string
  group: string | null
  evidence: readonly FoundEvidence[]
  marks: SentenceMark[]
}

type Unsupported = LibraryAnswer['unsupported'][number]

/** Evidence of an answer after it was stored, and the sources that it added to the answer. */
interface StoredPart {
  evidence: StoredEvidence[]
  sources: StoredSource[]
}

/** Thrown if a paper of the evidence was merged into a duplicate while its source was formatted. */
class JoinedMeanwhile extends Error {}

/** The state of an answer that is being written. Stores each verified sentence in the database immediately. */
export class AnswerState {
  kind: LibraryAnswer['kind'] = 'answer'
  papers = 0
  retracted_left_out = 0
  words_only: LibraryAnswer['words_only'] = null
  missing: string[] = []
  apart: string[] = []
  model = ''
  cached = false
  /** True for the built-in model, whose phrases for the sides of a disagreement follow from the quotes. */
  hasReadSides = false
  passages: StoredPassage[] = []
  runId: string | null = null
  readonly unsupported: Unsupported[] = []
  readonly #sentences: (StoredLibraryAnswer['sentences'][number] & { quotes: readonly FoundEvidence[] })[] = []
  readonly #groups: string[] = []
  #nearest: NearestPassages & { ids: string[] } = { ids: [], quotes: [], matches: [] }
  readonly #cited = new Set<string>()
  readonly #actor: Actor
  readonly #message: { id: string; conversationId: string }

  constructor(actor: Actor, message: { id: string; conversationId: string }) {
    this.#actor = actor
    this.#message = message
  }

  get sentences(): number {
    return this.#sentences.length
  }

  /** The values of the run of the answer. */
  get values(): RunValue[] {
    const sentences = this.#sentences.map(({ quotes, ...sentence }) => ({ ...sentence, evidence: quotes }))
    return answerValues({ ...this, sentences, groups: this.#labels(), nearest: this.#nearest.quotes })
  }

  /**
   * Starts the run, the record of the input and output of the answer in the project. The run is hidden from other users if the
   * conversation is private.
   */
  async startRun(request: RunRequest, about: { title: string; origin: RunOrigin }): Promise<string> {
    const { id: messageId, conversationId } = this.#message
    const run = await startRun(this.#actor, request, {
      ...about,
      within: {
        isHidden: async (tx) => (await lockConversation(tx, this.#actor, conversationId, 'share')).visibility === 'me',
        // A change of the visibility waits until this transaction ends, and then finds the run.
        store: async (tx, run_id) => {
          if (!(await updateAnswer(tx, messageId, { run_id }))) throw notFound('Message')
        },
      },
    })
    this.runId = run.id
    return run.id
  }

  /** Stores a verified sentence, with its evidence and new sources, and returns it. */
  async add({
    text,
    group,
    evidence,
    marks,
  }: VerifiedSentence): Promise<{ sentence: AnswerSentence; sources: StoredSource[] }> {
    const place = group === null ? null : this.#placeOf(group)
    const stored = await this.#store(evidence, (ids) => {
      this.#sentences.push({ text, evidence: ids, marks, group: place, quotes: evidence })
      this.#markUsed(evidence)
    })
    return { sentence: { text, evidence: stored.evidence, marks, group: place }, sources: stored.sources }
  }

  /** Stores the nearest passages, for an answer without a verified sentence. */
  async refuse(nearest: NearestPassages): Promise<void> {
    this.kind = this.unsupported.length > 0 ? 'unverified' : 'refusal'
    await this.#store(nearest.quotes, (ids) => {
      this.#nearest = { ...nearest, ids }
    })
  }

  /**
   * Returns the answer as columns of the database. Its sources are not included, because `add` and `refuse` have stored them.
   */
  toStored(): {
    answer: StoredLibraryAnswer
    passages: StoredPassage[]
    run_id: string | null
  } {
    const labels = this.#labels()
    const answer: StoredLibraryAnswer = {
      kind: this.kind,
      sentences: this.#sentences.map(({ text, evidence, marks, group }) => ({
        text,
        evidence,
        marks,
        group: labels.length > 0 ? group : null,
      })),
      groups: labels,
      unsupported: this.unsupported,
      nearest: this.#nearest.ids,
      nearest_matches: this.#nearest.matches,
      missing: this.missing,
      apart: this.apart,
      papers: this.papers,
      retracted_left_out: this.retracted_left_out,
      passages: this.passages.length,
      words_only: this.words_only,
      model: this.model,
      cached: this.cached,
    }
    return { answer, passages: this.passages, run_id: this.runId }
  }

  #labels(): string[] {
    const sides = this.#groups.map((phrase, at) => {
      const quotes = this.#sentences.filter(({ group }) => group === at).flatMap((sentence) => sentence.quotes)
      return { phrase, quotes }
    })
    return sides.filter(({ quotes }) => quotes.length > 0).length < 2
      ? []
      : labelSides(sides, { areRead: this.hasReadSides })
  }

  #placeOf(group: string): number {
    const same = this.#groups.findIndex((one) => one.toLowerCase() === group.toLowerCase())
    return same >= 0 ? same : this.#groups.push(group) - 1
  }

  /**
   * Stores evidence and its sources, calls `change` with the ids of the evidence, and stores the changed answer, in one
   * transaction.
   */
  async #store(evidence: readonly FoundEvidence[], change: (ids: string[]) => void): Promise<StoredPart> {
    const { id, conversationId } = this.#message
    const cited = [...new Set(evidence.map(({ document_id }) => document_id))]
    const kept = await asActor(this.#actor, (tx) => keptOf(tx, cited))
    const sources = await this.#citeNew([...new Set(cited.map((one) => kept.get(one) ?? one))])
    try {
      const stored = await asActor(this.#actor, async (tx) => {
        const { project_id, visibility } = await lockConversation(tx, this.#actor, conversationId, 'share')
        const createdBy = this.#actor.userId
        const subject = {
          kind: 'message' as const,
          id,
          projectId: project_id,
          createdBy,
          visibility,
          runId: this.runId,
        }
        const ids = await storeEvidence(tx, subject, evidence)
        // Stored evidence locks its papers, so no further join can begin.
        if (!isSameMap(kept, await keptOf(tx, cited))) throw new JoinedMeanwhile()
        const stored = await moveToKept(tx, evidence, ids, kept)
        change(ids)
        if (!(await updateAnswer(tx, id, this.toStored()))) throw notFound('Message')
        await addSources(tx, id, sources)
        return stored
      })
      for (const { document_id } of sources) this.#cited.add(document_id)
      return { evidence: stored, sources }
    } catch (error) {
      if (error instanceof JoinedMeanwhile) return this.#store(evidence, change)
      throw error
    }
  }

  async #citeNew(documents: readonly string[]): Promise<StoredSource[]> {
    const fresh = documents.filter((id) => !this.#cited.has(id))
    if (fresh.length === 0) return []
    const known = await asActor(this.#actor, (tx) => listSources(tx, this.#message.conversationId))
    const numbers = new Map(known.map(({ document_id, number }) => [document_id, number]))
    let last = Math.max(0, ...numbers.values())
    return citeSources(
      this.#actor,
      fresh.map((document_id) => ({ document_id, number: numbers.get(document_id) ?? ++last })),
    )
  }

  #markUsed(evidence: readonly FoundEvidence[]): void {
    const letters = (text: string) => text.replace(/\s+/g, '')
    this.passages = this.passages.map((passage) => {
      const isUsed = evidence.some(
        ({ document_id, quote }) =>
          document_id === passage.document_id && letters(passage.content).includes(letters(quote)),
      )
      return isUsed ? { ...passage, used: true } : passage
    })
  }
}

const keptOf = (tx: Tx, ids: readonly string[]) => withOwnerRole(tx, () => listKept(tx, ids))

const isSameMap = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>) =>
  one.size === other.size && [...one].every(([key, value]) => other.get(key) === value)

/**
 * Moves stored evidence of papers that were merged into a duplicate to the papers that were kept. The quotes are searched in
 * the text of these papers after the commit.
 */
async function moveToKept(
  tx: Tx,
  evidence: readonly FoundEvidence[],
  ids: readonly string[],
  kept: ReadonlyMap<string, string>,
): Promise<StoredEvidence[]> {
  for (const [from, to] of kept) {
    const moved = ids.filter((_id, at) => evidence[at]!.document_id === from)
    await withOwnerRole(tx, () => moveEvidence(tx, { from, to, ids: moved }))
  }
  return evidence.map((one, at) => {
    const to = kept.get(one.document_id)
    const place = to === undefined ? {} : { document_id: to, start: null, end: null }
    return { ...one, ...place, id: ids[at]!, lost: false }
  })
}
