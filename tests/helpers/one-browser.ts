import { chromium } from 'playwright-core'
import { LAUNCH } from './browser.ts'

/**
 * One browser for all files of a run: each still gets contexts of its own, which share nothing. Starting one for each of
 * them is a tenth of the time. Returns what ends it.
 */
export default async function startBrowser(): Promise<() => Promise<void>> {
  const server = await chromium.launchServer(LAUNCH)
  process.env['TEST_BROWSER'] = server.wsEndpoint()
  return () => server.close()
}
