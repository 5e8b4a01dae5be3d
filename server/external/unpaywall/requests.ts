import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { createService, readJson } from '../service.ts'
import { unpaywallPaper } from './wire.ts'

const NAME = 'Unpaywall'
const service = createService(NAME, 4)

/** Returns true if CONTACT_EMAIL is set. Unpaywall answers only requests with an e-mail address. */
export const unpaywallIsSetUp = () => env.CONTACT_EMAIL !== undefined

/**
 * Returns the addresses of the free copies of a paper: PDFs, then landing pages, both with the best copy first. Empty when
 * Unpaywall has none.
 */
export async function freeCopiesByUnpaywall(doi: string, signal: AbortSignal): Promise<string[]> {
  const url = new URL(`${env.UNPAYWALL_URL}/v2/${encodeURIComponent(doi)}`)
  url.searchParams.set('email', env.CONTACT_EMAIL ?? '')
  const response = await service.call(url, { signal })
  if (response.status === 404) {
    await response.body?.cancel()
    return []
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw new AppError('outside_failed', `${NAME} refused the request (${response.status}).`, { permanent: true })
  }
  const { best_oa_location: best, oa_locations: all } = await readJson(NAME, response, unpaywallPaper)
  const copies = [best, ...(all ?? [])].filter((one) => one !== null && one !== undefined)
  const pdfs = copies.map((one) => one.url_for_pdf)
  const pages = copies.map((one) => one.url_for_landing_page)
  return [...new Set([...pdfs, ...pages].filter((one) => typeof one === 'string' && one !== ''))] as string[]
}
