import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { documentOrThrow, lazyText, searchedAbstract, withoutPage } from '#server/documents/index.ts'
import { publish } from '#server/events/events.ts'
import { readersOf } from '#server/events/event-queries.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import { AppError } from '#server/lib/errors.ts'
import { authorize } from '#server/members/index.ts'
import { checkProject } from '#server/projects/index.ts'
import { findSimilar, reanchorQuotes } from '#server/texts/index.ts'
import { ONLY_AUTHOR, type StoredEvidence } from '#shared/contract/conversations.ts'
import { type ChosenPlace, type LostEvidence, type SimilarPlace, WORDS_NOT_IN_TEXT } from '#shared/contract/evidence.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import { anchorOf, nextPlace } from './next-place.ts'
import {
  countLost,
  type EvidenceRow,
  findEvidenceRow,
  listLost,
  lockEvidenceRow,
  type LostScope,
  readDocument,
  updateEvidence,
} from './queries.ts'
import { presentEvidence } from './store-evidence.ts'

/**
 * Returns the lost evidence (quotes that are not in the current text) of a project, or of one of its documents, newest first.
 * Throws 'not_found' for a project that the caller cannot read.
 */
export const listLostEvidence = (actor: Actor, of: LostScope, slice: Slice): Promise<Listed<LostEvidence>> =>
  asActor(
    actor,
    async (tx) => {
      await checkProject(tx, of.projectId, 'read')
      const rows = await listLost(tx, of, slice)
      const data = rows.map(({ evidence: { id, document_id, quote, history, owner_id }, ...paper }) => ({
        id,
        document_id,
        quote,
        page: history.at(-1)?.page ?? null,
        is_mine: owner_id === actor.userId,
        ...paper,
      }))
      return { data, count: await countLost(tx, of) }
    },
    of.projectId,
  )

/**
 * Returns the passages of the current text of a document that are similar to a quote that was lost, so that a user can choose
 * the new place of the quote. `id` is the id of the evidence (a quote with its place in the document). Throws 'not_found'.
 */
export async function listSimilarPlaces(actor: Actor, id: string, signal?: AbortSignal): Promise<SimilarPlace[]> {
  const { row, text, isAbstract } = await read(actor, id, 'read')
  const places = await findSimilar({ person: actor.userId, signal }, text, anchorOf(row))
  return isAbstract ? places.map(withoutPage) : places
}

/**
 * Moves lost evidence of an answer to the words that the caller chose in the current text. The server searches for these words;
 * the former place stays in the history. Throws 'role' if the caller did not ask the question, 'refused' if the text does not
 * contain the words, and 'conflict' if the evidence is not lost or the text changed meanwhile.
 */
export async function choosePlace(
  actor: Actor,
  id: string,
  chosen: Required<ChosenPlace>,
  signal?: AbortSignal,
): Promise<StoredEvidence> {
  const { row: before, document, text, isAbstract } = await read(actor, id, 'ask')
  refuseChoice(actor, before)
  const [found] = await reanchorQuotes({ person: actor.userId, signal }, text, [chosen])
  if (!found || found.match === 'none')
    throw new AppError('refused', WORDS_NOT_IN_TEXT, { fields: { quote: WORDS_NOT_IN_TEXT } })
  const place = isAbstract ? withoutPage(found) : found
  return asActor(actor, async (tx) => {
    await documentOrThrow(tx, document.id, 'read')
    // The lock of the document makes a concurrent new text wait, so that it finds this place.
    const now = await withOwnerRole(tx, () => readDocument(tx, document.id))
    const row = authorize(await lockEvidenceRow(tx, id), 'ask', 'Evidence')
    refuseChoice(actor, row)
    if (!now || now.text_version !== document.text_version || searchedAbstract(now) !== searchedAbstract(document))
      throw new AppError('conflict', 'The text changed meanwhile. Please choose the place again.')
    const until = new Date().toISOString()
    const next = nextPlace(row, place, { textVersion: now.text_version, until, isChosen: true })
    await updateEvidence(tx, id, next)
    await publish(tx, readersOf(now), {
      event: 'document',
      data: { id: now.id, project_id: now.project_id, change: 'updated' },
    })
    return presentEvidence({ ...row, ...next })
  })
}

function refuseChoice(actor: Actor, { owner_id, lost }: Pick<EvidenceRow, 'owner_id' | 'lost'>): void {
  if (owner_id !== actor.userId) throw new AppError('role', ONLY_AUTHOR)
  if (!lost) throw new AppError('conflict', 'This quote has a place in the text already.')
}

async function read(actor: Actor, id: string, right: ProjectRight) {
  const { row, document } = await asActor(actor, async (tx) => {
    const row = await evidenceOrThrow(tx, id, right)
    return { row, document: await documentOrThrow(tx, row.document_id, 'read') }
  })
  const abstract = searchedAbstract(document)
  return { row, document, isAbstract: abstract !== null, text: abstract ?? (await lazyText(actor, document.id)) }
}

const evidenceOrThrow = async (tx: Tx, id: string, right: ProjectRight) =>
  authorize(await findEvidenceRow(tx, id), right, 'Evidence')
