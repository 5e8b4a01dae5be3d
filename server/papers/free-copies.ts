import { findWorkByDoi, freeCopiesByUnpaywall, unpaywallIsSetUp, type Work } from '#server/external/index.ts'
import { AppError } from '#server/lib/errors.ts'

/** Where free copies of a paper may lie, best first; `failure` is why somebody could not be asked. */
export interface FreeCopies {
  urls: string[]
  failure: AppError | null
  /** What OpenAlex says of the paper besides. */
  work: Work | null
}

/** At arXiv the DOI itself names the file. */
const ARXIV = /^10\.48550\/arxiv\.(.+)$/i

/** Asks whoever knows of free copies. One that does not answer does not hide what another one knows. */
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
