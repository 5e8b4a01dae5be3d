import { type BrowserServer, chromium } from 'playwright-core'
import { LAUNCH } from './browser.ts'

let server: BrowserServer | undefined

/**
 * One browser for all files of a run: each still gets contexts of its own, which share nothing. Starting one for each of
 * them is a tenth of the time.
 */
export async function setup(): Promise<void> {
  server = await chromium.launchServer(LAUNCH)
  process.env['TEST_BROWSER'] = server.wsEndpoint()
}

/** Ends that browser. */
export async function teardown(): Promise<void> {
  await server?.close()
}
