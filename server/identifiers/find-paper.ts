import {
  findBook,
  findCrossrefWork,
  findPaperOfPage,
  findWorkByDoi,
  findWorkByPubMedId,
} from '#server/external/index.ts'
import type { AppError } from '#server/lib/errors.ts'
import type { IdentifierKind, LookedUpPaper } from '#shared/contract/identifiers.ts'
import type { Reference } from '#shared/contract/references.ts'
import type { Identifier } from '#shared/references/identifiers.ts'

/** A paper that a service returned for an identifier. `note` is a remark for the user. */
export interface FoundPaper {
  service: string
  paper: LookedUpPaper
  note?: string
}

/** Thrown when a service could not be queried. */
export class ServiceFailure extends Error {
  readonly service: string
  readonly error: AppError

  constructor(service: string, error: AppError) {
    super(error.message, { cause: error })
    this.name = 'ServiceFailure'
    this.service = service
    this.error = error
  }
}

/**
 * Runs `question`, which sends a request to the outside service named `service`, and returns its result. The requests of one
 * user to one service are queued, so `question` may have to wait. `queue` is the name of the queue, if it is not the name of
 * the service. Throws a ServiceFailure if `question` throws an AppError.
 */
export type Ask = <T>(service: string, question: () => Promise<T>, queue?: string) => Promise<T>

/** The kinds of identifiers that are looked up one by one. A request to arXiv has many ids. */
type OneByOne = Exclude<IdentifierKind, 'arxiv'>

const FINDERS: Record<OneByOne, (value: string, ask: Ask, signal: AbortSignal) => Promise<FoundPaper | null>> = {
  doi: findByDoi,
  pmid: findByPubMedId,
  pmcid: findByPubMedId,
  isbn: async (isbn, ask, signal) => {
    const reference = await ask('Open Library', () => findBook(isbn, signal))
    return reference && { service: 'Open Library', paper: plainPaper(reference) }
  },
  url: findByAddress,
}

/**
 * Looks up an identifier in outside services such as Crossref. Returns the found paper, or null if no service knows the
 * identifier. `ask` runs each request to a service. Throws a ServiceFailure if a service could not be queried.
 */
export const findPaper = ({ kind, value }: Identifier & { kind: OneByOne }, ask: Ask, signal: AbortSignal) =>
  FINDERS[kind](value, ask, signal)

/**
 * Returns a look-up result with this reference, for a service that does not report whether a paper is retracted: `retracted` is
 * false, and the OpenAlex id (`semantic_paperid`) is null.
 */
export const plainPaper = (reference: Reference): LookedUpPaper => ({
  reference,
  retracted: false,
  semantic_paperid: null,
})

/** Queries Crossref, then OpenAlex. A failure of Crossref is thrown only if OpenAlex does not know the DOI. */
async function findByDoi(doi: string, ask: Ask, signal: AbortSignal): Promise<FoundPaper | null> {
  const options = { personWaits: true }
  const failures: ServiceFailure[] = []
  const attempt = <T>(service: string, question: () => Promise<T>) =>
    ask(service, question).catch((error: unknown) => {
      if (!(error instanceof ServiceFailure)) throw error
      failures.push(error)
      return null
    })
  const work = await attempt('Crossref', () => findCrossrefWork(doi, signal, options))
  if (work) return { service: 'Crossref', paper: { ...plainPaper(work.reference), retracted: work.isRetracted } }
  const other = await attempt('OpenAlex', () => findWorkByDoi(doi, signal, options))
  const [failure] = failures
  if (other) return { ...ofOpenAlex(other), ...(failure && { note: `${failure.message} OpenAlex found this paper.` }) }
  if (failure) throw failure
  return null
}

async function findByPubMedId(id: string, ask: Ask, signal: AbortSignal): Promise<FoundPaper | null> {
  const work = await ask('OpenAlex', () => findWorkByPubMedId(id, signal, { personWaits: true }))
  if (!work) return null
  const found = ofOpenAlex(work)
  // OpenAlex finds some works by an id that is not in their record.
  const own: Partial<Reference> = id.startsWith('PMC') ? { PMCID: id } : { PMID: id }
  return { ...found, paper: { ...found.paper, reference: { ...own, ...found.paper.reference } } }
}

const ofOpenAlex = ({
  id,
  isRetracted,
  reference,
}: {
  id: string
  isRetracted: boolean
  reference: Reference
}): FoundPaper => ({
  service: 'OpenAlex',
  paper: { reference, retracted: isRetracted, semantic_paperid: id },
})

/**
 * The name of the queue for all web sites. They share one queue of a user, because a look-up can have hundreds of sites and
 * each page takes memory.
 */
const PAGES = 'web pages'

/** Reads the citation tags of a web page. If the tags have only a DOI, finds the paper by the DOI. */
async function findByAddress(address: string, ask: Ask, signal: AbortSignal): Promise<FoundPaper | null> {
  const site = new URL(address).host
  const named = await ask(site, () => findPaperOfPage(address, signal), PAGES)
  if (named?.reference) return { service: site, paper: plainPaper(named.reference) }
  return named?.doi ? findByDoi(named.doi, ask, signal) : null
}
