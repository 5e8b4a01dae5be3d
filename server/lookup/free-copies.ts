import { findWorkByDoi, freeCopiesByUnpaywall, unpaywallIsSetUp, type Work } from '#server/external/index.ts'
import { AppError } from '#server/lib/errors.ts'

/** Addresses of free copies, best first. `failure` is the error of the first source that failed. */
export interface FreeCopies {
  urls: string[]
  failure: AppError | null
  /** The OpenAlex work of the paper, if found. */
  work: Work | null
}

/** The DOI of an arXiv paper contains the id of its PDF. */
const ARXIV = /^10\.48550\/arxiv\.(.+)$/i

/** Queries every open-access source. A source that fails does not discard the results of the others. */
export async function findFreeCopies(doi: string, signal: AbortSignal): Promise<FreeCopies> {
  const arxiv = ARXIV.exec(doi)?.[1]
  const urls = arxiv ? [`https://arxiv.org/pdf/${arxiv}`] : []
  let failure: AppError | null = null
  let work: Work | null = null
  const askOpenAlex = async () => (work = await findWorkByDoi(doi, signal))?.freeCopies ?? []
  const sources = [...(unpaywallIsSetUp() ? [() => freeCopiesByUnpaywall(doi, signal)] : []), askOpenAlex]
  for (const ask of sources)
    try {
      urls.push(...(await ask()))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof AppError)) throw error
      failure ??= error
    }
  return { urls: [...new Set(urls)], failure, work }
}
