import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import type { StoredLibraryAnswer, StoredPassage, StoredSource } from '#server/db/stored-answers.ts'
import { notFound } from '#server/lib/errors.ts'
import { storeEvidence, type FoundEvidence } from '#server/evidence/index.ts'
import type { AnswerSentence, LibraryAnswer, SentenceMark } from '#shared/contract/conversations.ts'
import type { RunValue } from '#shared/contract/runs.ts'
import { type RunOrigin, type RunRequest, startRun } from '#server/runs/index.ts'
import { listOtherSources, updateAnswer } from './answer-queries.ts'
import { citeSources } from './cite-sources.ts'
import { labelSides } from './label-sides.ts'
import { lockConversation } from './service.ts'

/** A sentence with quotes that were found. */
export interface VerifiedSentence {
  text: string
  group: string | null
  evidence: readonly FoundEvidence[]
  marks: SentenceMark[]
}

type Unsupported = LibraryAnswer['unsupported'][number]

/** The state of an answer that is being written. Each verified sentence is stored at once. */
export class AnswerState {
  kind: LibraryAnswer['kind'] = 'answer'
  papers = 0
  retracted_left_out = 0
  words_only: LibraryAnswer['words_only'] = null
  missing: string[] = []
  apart: string[] = []
  model = ''
  cached = false
  passages: StoredPassage[] = []
  runId: string | null = null
  readonly unsupported: Unsupported[] = []
  readonly values: RunValue[] = []
  readonly #sentences: (StoredLibraryAnswer['sentences'][number] & { quotes: readonly FoundEvidence[] })[] = []
  readonly #groups: string[] = []
  #nearest: string[] = []
  #sources: StoredSource[] = []
  readonly #actor: Actor
  readonly #message: { id: string; conversationId: string }

  constructor(actor: Actor, message: { id: string; conversationId: string }) {
    this.#actor = actor
    this.#message = message
  }

  get sentences(): number {
    return this.#sentences.length
  }

  /** Starts the run of the answer; it is hidden if the conversation is. */
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
    const sources = await this.#citeNew(evidence)
    const place = group === null ? null : this.#placeOf(group)
    const ids = await this.#store(evidence, (ids) => {
      this.#sentences.push({ text, evidence: ids, marks, group: place, quotes: evidence })
      this.#markUsed(evidence)
    })
    this.#addValue(`sentence ${this.#sentences.length}`, `Sentence ${this.#sentences.length}`, text, evidence)
    const stored = evidence.map((one, at) => ({ ...one, id: ids[at]!, lost: false }))
    return { sentence: { text, evidence: stored, marks, group: place }, sources }
  }

  /** Stores the nearest passages of a refusal. */
  async refuse(evidence: readonly FoundEvidence[]): Promise<void> {
    this.kind = 'refusal'
    await this.#citeNew(evidence)
    await this.#store(evidence, (ids) => {
      this.#nearest = ids
    })
    for (const [at, one] of evidence.entries())
      this.#addValue(`nearest ${at + 1}`, `Nearest passage ${at + 1}`, one.quote, [one])
  }

  /** Returns the answer as it is stored. */
  toStored(): {
    answer: StoredLibraryAnswer
    sources: StoredSource[]
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
      nearest: this.#nearest,
      missing: this.missing,
      apart: this.apart,
      papers: this.papers,
      retracted_left_out: this.retracted_left_out,
      passages: this.passages.length,
      words_only: this.words_only,
      model: this.model,
      cached: this.cached,
    }
    return { answer, sources: this.#sources, passages: this.passages, run_id: this.runId }
  }

  #labels(): string[] {
    const sides = this.#groups.map((phrase, at) => {
      const quotes = this.#sentences.filter(({ group }) => group === at).flatMap((sentence) => sentence.quotes)
      return { phrase, quotes }
    })
    return sides.filter(({ quotes }) => quotes.length > 0).length < 2 ? [] : labelSides(sides)
  }

  #placeOf(group: string): number {
    const same = this.#groups.findIndex((one) => one.toLowerCase() === group.toLowerCase())
    return same >= 0 ? same : this.#groups.push(group) - 1
  }

  async #citeNew(evidence: readonly FoundEvidence[]): Promise<StoredSource[]> {
    const known = new Set(this.#sources.map(({ document_id }) => document_id))
    const fresh = [...new Set(evidence.map(({ document_id }) => document_id))].filter((id) => !known.has(id))
    if (fresh.length === 0) return []
    const others = await asActor(this.#actor, (tx) => listOtherSources(tx, this.#message))
    const numbers = new Map([...others, ...this.#sources].map(({ document_id, number }) => [document_id, number]))
    let last = Math.max(0, ...numbers.values())
    const papers = fresh.map((document_id) => ({ document_id, number: numbers.get(document_id) ?? ++last }))
    const sources = await citeSources(this.#actor, papers)
    this.#sources = [...this.#sources, ...sources]
    return sources
  }

  /** Stores evidence and, after `change`, the answer, in one transaction. */
  async #store(evidence: readonly FoundEvidence[], change: (ids: string[]) => void): Promise<string[]> {
    const { id, conversationId } = this.#message
    return asActor(this.#actor, async (tx) => {
      const { project_id, visibility } = await lockConversation(tx, this.#actor, conversationId, 'share')
      const createdBy = this.#actor.userId
      const subject = { kind: 'message' as const, id, projectId: project_id, createdBy, visibility, runId: this.runId }
      const ids = await storeEvidence(tx, subject, evidence)
      change(ids)
      if (!(await updateAnswer(tx, id, this.toStored()))) throw notFound('Message')
      return ids
    })
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

  #addValue(key: string, label: string, text: string, evidence: readonly FoundEvidence[]): void {
    this.values.push({ key, label, of: null, text, evidence: [...evidence] })
  }
}
