import { findWorkByDoi, freeCopiesByUnpaywall, unpaywallIsSetUp, type Work } from '#server/external/index.ts'
import { AppError } from '#server/lib/errors.ts'

/** The addresses of open-access copies of a paper, best first. `failure` is the error of the first source that failed. */
export interface FreeCopies {
  urls: string[]
  failure: AppError | null
  /** The OpenAlex work of the paper, if found. */
  work: Work | null
}

/** Matches the DOI of an arXiv paper. The DOI contains the arXiv id, which is part of the address of the PDF. */
const ARXIV = /^10\.48550\/arxiv\.(.+)$/i

/**
 * Searches arXiv, Unpaywall (if CONTACT_EMAIL is set) and OpenAlex for open-access copies of the paper with this DOI. If a
 * source fails, returns the copies of the other sources, and `failure` is the first error. Throws only the reason of `signal`
 * and unexpected errors.
 */
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
