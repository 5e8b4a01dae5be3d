import { asActor, type Tx } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { insertPaper } from '#server/documents/index.ts'
import { ARXIV_IDS_MAX, findArxivPapers } from '#server/external/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { createTurns } from '#server/lib/turns.ts'
import type { ImportKind } from '#server/imports/index.ts'
import { findPaper as findByTitle } from '#server/lookup/index.ts'
import { processNewPapers } from '#server/processing/index.ts'
import { checkProject } from '#server/projects/index.ts'
import { type SamePaper, withSamePapers } from '#server/references/index.ts'
import {
  type AddedPapers,
  identifierKey,
  KIND_SERVICES,
  type LookedUpLine,
  type LookUpInput,
  NOT_AN_IDENTIFIER,
  type PapersInput,
} from '#shared/contract/identifiers.ts'
import type { Reference } from '#shared/contract/references.ts'
import { type Identifier, recognizeIdentifier } from '#shared/references/identifiers.ts'
import { inSettledOrder } from './in-settled-order.ts'
import { type Ask, findPaper, type FoundPaper, plainPaper, ServiceFailure } from './find-paper.ts'
import { findByIdentifiers, findKnown, type KnownDocument } from './queries.ts'
import { validReference } from './valid-reference.ts'

/**
 * Limits the requests of one user to one service to five at the same time (FMT-90), and the comparisons of found papers with
 * those of the project as well. A service can have a lower limit for all users.
 */
const turns = createTurns(5)

/** An identifier and the lines that contain it. It is looked up once for all of them. */
interface Wanted {
  identifier: Identifier
  lines: number[]
}
type Outcome = Omit<LookedUpLine, 'line' | 'kind' | 'value'>

/**
 * Looks up the identifiers in the lines and yields the result of each line as soon as it is known. `line` is the zero-based
 * index of the line. Stores nothing. If a service fails, the lines that need it get the state 'failed'. Throws 'not_found' if
 * the caller may not read the project, 'role' if the caller may not add papers to it, and the reason of `signal`.
 */
export async function* lookUpLines(
  actor: Actor,
  { project_id, lines }: LookUpInput,
  signal: AbortSignal,
): AsyncGenerator<LookedUpLine> {
  const wanted = new Map<string, Wanted>()
  const unknown: number[] = []
  for (const [line, text] of lines.entries()) {
    const identifier = recognizeIdentifier(text)
    const key = identifierKey(text)
    if (!identifier || !key) unknown.push(line)
    else if (wanted.has(key)) wanted.get(key)!.lines.push(line)
    else wanted.set(key, { identifier, lines: [line] })
  }
  const all = [...wanted.values()]
  const known = await asActor(actor, async (tx) => {
    await checkProject(tx, project_id, 'edit')
    return findByIdentifiers(
      tx,
      project_id,
      all.map(({ identifier }) => identifier),
    )
  })
  for (const line of unknown) yield { line, kind: null, value: null, ...notFound(NOT_AN_IDENTIFIER) }
  const open: Wanted[] = []
  for (const one of all) {
    const same = known.find(({ has }) => has(one.identifier))
    if (same) yield* asLines(one, here(same.document))
    else open.push(one)
  }
  const ask = asking(actor, signal)
  const settle = async (one: Wanted, search: Promise<FoundPaper | null>) => ({
    one,
    outcome: await outcomeOf(actor, project_id, one.identifier, search),
  })
  for await (const { one, outcome } of inSettledOrder(
    searches(open, ask, signal).map(([one, search]) => settle(one, search)),
  ))
    yield* asLines(one, outcome)
}

const asLines = ({ identifier: { kind, value }, lines }: Wanted, outcome: Outcome): LookedUpLine[] =>
  lines.map((line) => ({ line, kind, value, ...outcome }))

const EMPTY = { service: null, message: null, paper: null, document: null }
const notFound = (message: string): Outcome => ({ ...EMPTY, state: 'not_found', message })
const here = (document: KnownDocument): Outcome => ({ ...EMPTY, state: 'here', document })

/**
 * Returns the function `Ask` for a user, which runs at most five requests to a service at the same time. It throws the reason
 * of `signal` when aborted.
 */
const asking =
  ({ userId }: Actor, signal: AbortSignal): Ask =>
  (service, question, queue = service) =>
    turns(`${userId} ${queue}`, async () => {
      signal.throwIfAborted()
      try {
        return await question()
      } catch (error) {
        signal.throwIfAborted()
        throw error instanceof AppError ? new ServiceFailure(service, error) : error
      }
    })

/** Starts the search for each identifier. arXiv ids are searched together in requests of up to ARXIV_IDS_MAX ids. */
function searches(open: readonly Wanted[], ask: Ask, signal: AbortSignal): [Wanted, Promise<FoundPaper | null>][] {
  const ofArxiv = open.filter(({ identifier }) => identifier.kind === 'arxiv')
  const found: [Wanted, Promise<FoundPaper | null>][] = []
  for (let from = 0; from < ofArxiv.length; from += ARXIV_IDS_MAX) {
    const part = ofArxiv.slice(from, from + ARXIV_IDS_MAX)
    const ids = part.map(({ identifier }) => identifier.value)
    const papers = ask('arXiv', () => findArxivPapers(ids, signal))
    for (const one of part)
      found.push([
        one,
        papers.then((all) => {
          const paper = all.find(({ id }) => id === one.identifier.value)
          return paper ? { service: 'arXiv', paper: plainPaper(paper.reference) } : null
        }),
      ])
  }
  for (const one of open) {
    const { kind, value } = one.identifier
    if (kind !== 'arxiv') found.push([one, findPaper({ kind, value }, ask, signal)])
  }
  return found
}

/** Error codes of a web address that can never be read, so that a retry is useless. */
const PERMANENT_CODES: ReadonlySet<string> = new Set(['refused', 'wrong_type', 'too_large'])

async function outcomeOf(
  actor: Actor,
  projectId: string,
  { kind }: Identifier,
  search: Promise<FoundPaper | null>,
): Promise<Outcome> {
  try {
    const found = await search
    if (!found) return notFound(unknownTo(kind))
    const reference = validReference(found.paper.reference)
    // All papers of one arXiv request arrive together: more than a user's queue in the worker pool accepts.
    const same = await turns(`${actor.userId} compare`, () =>
      withSamePapers(actor, projectId, [reference], async (tx, [found]) => {
        const id = await documentOf(tx, projectId, reference, found!)
        return id && findKnown(tx, id)
      }),
    )
    if (same) return here(same)
    const { service, note = null, paper } = found
    return { ...EMPTY, state: 'found', service, message: note, paper: { ...paper, reference } }
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error
    const { service, message, error: cause } = error
    if (kind === 'url' && PERMANENT_CODES.has(cause.code)) return notFound(message)
    // The messages of the services name the service.
    return { ...EMPTY, state: 'failed', service, message: kind === 'url' ? `${service}: ${message}` : message }
  }
}

const NAMES: Record<Exclude<Identifier['kind'], 'url'>, string> = {
  doi: 'DOI',
  pmid: 'PMID',
  pmcid: 'PMCID',
  arxiv: 'id',
  isbn: 'ISBN',
}

function unknownTo(kind: Identifier['kind']): string {
  if (kind === 'url') return 'The page at this address names no paper in its citation tags.'
  return `${KIND_SERVICES[kind]} ${kind === 'doi' ? 'do' : 'does'} not know this ${NAMES[kind]}.`
}

/**
 * Adds papers without a file to a project. If a paper is already in the project, its document stays unchanged and is returned
 * with `created` false. A paper is in the project if the comparison of references finds a document that is certainly the same
 * paper, not only a suspected duplicate (FMT-41). For a paper without an identifier it is also enough that a document has the
 * same URL or, if the paper has no URL, the same title. `kind` is the way in which the papers were found.
 */
export async function addPapers(
  actor: Actor,
  { project_id, papers }: PapersInput,
  kind: ImportKind = 'identifiers',
): Promise<AddedPapers> {
  await asActor(actor, (tx) => checkProject(tx, project_id, 'edit'))
  const references = papers.map(({ reference }) => withoutEmpty(reference))
  const result = await withSamePapers(actor, project_id, references, async (tx, same) => {
    await checkProject(tx, project_id, 'edit')
    const added: AddedPapers['papers'] = []
    for (const [at, { reference: _, ...paper }] of papers.entries()) {
      const reference = references[at]!
      const found = same[at]!
      const known =
        found && 'within' in found
          ? added[found.within]!.document_id
          : await documentOf(tx, project_id, reference, found)
      const document_id = known ?? (await insertPaper(tx, actor, project_id, { ...paper, reference }, kind)).id
      added.push({ document_id, created: !known })
    }
    const created = added.filter((one) => one.created).length
    return { papers: added, created, existing: added.length - created }
  })
  const created = result.papers.flatMap((one) => (one.created ? [one.document_id] : []))
  if (created.length > 0) await processNewPapers(actor, { document_ids: created })
  return result
}

/**
 * Returns the id of the document of a paper in the project, or undefined. This is the document `found`; if it is undefined and
 * the reference has no identifier, the document with the same address, or with the same title if the reference has no address.
 */
async function documentOf(
  tx: Tx,
  projectId: string,
  { DOI, PMID, PMCID, ISBN, URL: address, title }: Partial<Reference>,
  found: SamePaper,
): Promise<string | undefined> {
  if (found) return 'id' in found ? found.id : undefined
  if (DOI || PMID || PMCID || ISBN) return undefined
  if (!address) return title && (await findByTitle(tx, projectId, { doi: null, title, link: null }))?.id
  return (await findByIdentifiers(tx, projectId, [{ kind: 'url', value: address }]))[0]?.document.id
}

const withoutEmpty = (given: PapersInput['papers'][number]['reference']) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== '')) as Reference
