import { mkdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { serve } from '@hono/node-server'
import { prepareEmbeddings, setAiGate, setAiRecorder } from '#server/ai/index.ts'
import { startSessions, stopSessions } from '#server/auth/index.ts'
import { openDatabase } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { ocrLanguages } from '#server/extraction/index.ts'
import { migrationServer } from '#server/health/index.ts'
import { isNameless } from '#server/guard/index.ts'
import { env, givenNames, publicUrl, SETTING_NAMES } from '#server/lib/env.ts'
import { startAnswers, stopAnswers, stopConversationExports } from '#server/conversations/index.ts'
import { startKeys, stopKeys } from '#server/keys/index.ts'
import { startErrorReports } from '#server/fetch/error-webhook.ts'
import { startEvents, stopEvents } from '#server/events/events.ts'
import { startJobs, stopJobs } from '#server/queue/queue.ts'
import { removeLeftUploads } from '#server/storage/left-uploads.ts'
import { log } from '#server/lib/log.ts'
import { mailEnabled, startMail, stopMail } from '#server/mail/mail.ts'
import { startFileRemoval, stopFileRemoval } from '#server/storage/removed-files.ts'
import { similarSettings } from '#server/lib/similar-settings.ts'
import { asListenError, checkAddress } from '#server/lib/listen-errors.ts'
import { drain, endLongCalls } from '#server/lib/stopping.ts'
import { startTracing, stopTracing } from '#server/lib/tracing.ts'
import { seedPrompts } from '#server/prompts/index.ts'
import { startTrash, stopTrash } from '#server/trash/index.ts'
import { beginPaidCall, recordAiCall } from '#server/usage/index.ts'
import { startRunWatch, stopRunWatch } from '#server/runs/index.ts'
import { registerJobs as analysis } from './analysis/jobs.ts'
import { registerJobs as extraction } from './extraction/jobs.ts'
import { registerJobs as duplicates, stopDuplicates } from './duplicates/jobs.ts'
import { registerJobs as evidence, stopReanchoring } from './evidence/jobs.ts'
import { registerJobs as feeds, stopFeeds } from './feeds/jobs.ts'
import { registerJobs as papers } from '#server/lookup/jobs.ts'
import { registerJobs as references } from './references/jobs.ts'
import { registerJobs as recommendations } from './recommendations/jobs.ts'
import { registerJobs as journals } from './journals/jobs.ts'
import { continueAutomatic, registerJobs as processing } from './processing/jobs.ts'
import { registerJobs as savedSearches, stopSavedSearches } from './search/jobs.ts'
import { registerJobs as zotero, stopZotero } from './zotero/jobs.ts'
import {
  registerJobs as vectors,
  startIndexing,
  startRenewal,
  stopIndexing,
  stopRenewal,
} from '#server/retrieval/jobs.ts'
import { stopCodes } from '#server/search/index.ts'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'
import { createApp } from './app.ts'

/** Time in milliseconds for which requests may continue after the first signal to stop. */
const GRACE_MS = 10_000

/**
 * Time limit in milliseconds for receiving a whole request. 100 MB over a slow connection take longer than Node's default of
 * five minutes.
 */
const REQUEST_MS = 30 * 60_000

/**
 * Time in milliseconds for which an idle connection stays open. It must be longer than the time of proxies (nginx: 60 s).
 * Otherwise a proxy can send a request on a connection that this server is closing, and responds with 502. Node's default is
 * five seconds.
 */
const IDLE_MS = 75_000

/** Starts the server: opens and migrates the database, starts the workers, listens, and prints one line with the address. */
export async function start(): Promise<void> {
  startErrorReports()
  await startTracing()
  await checkAddress()
  await prepareEmbeddings()
  ocrLanguages()
  // /readyz and /metrics measure the disk of this folder, also before the first file is stored in it.
  await mkdir(env.DATA_DIR, { recursive: true })
  const database = await openDatabase()
  const waiting = migrationServer({ host: env.HOST, port: env.PORT })
  await migrateDatabase(undefined, waiting.report)
  await waiting.close()
  await seedPrompts()
  setAiRecorder(recordAiCall)
  setAiGate(beginPaidCall)
  await removeLeftUploads(database.embedded)
  await startEvents()
  await startRunWatch()
  await startJobs()
  await startFileRemoval()
  startTrash()
  startKeys()
  startSessions()
  startAnswers()
  await startMail()
  extraction(continueAutomatic)
  analysis(continueAutomatic)
  for (const register of [
    vectors,
    processing,
    papers,
    references,
    journals,
    recommendations,
    duplicates,
    zotero,
    evidence,
    savedSearches,
  ])
    register()
  await feeds()
  startRenewal()
  startIndexing()

  const server = serve({
    fetch: createApp().fetch,
    hostname: env.HOST,
    port: env.PORT,
    serverOptions: { requestTimeout: REQUEST_MS, keepAliveTimeout: IDLE_MS },
  })
  await new Promise<void>((ready, refuse) => {
    server.once('listening', () => ready())
    server.once('error', (error: Error) => refuse(asListenError(error)))
  })
  let stoppingSince = 0
  const stop = (signal: string) => {
    // A terminal sends its signal to every process of the group, so the same one can arrive twice at once.
    if (stoppingSince > 0 && performance.now() - stoppingSince > 1000) process.exit(1)
    if (stoppingSince > 0) return
    stoppingSince = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), env.DRAIN_SECONDS * 1000 + GRACE_MS + 5_000).unref()
    // Load balancers learn from /readyz that this server stops, while it still answers.
    drain()
    setTimeout(() => void finish(), env.DRAIN_SECONDS * 1000)
  }
  const finish = async () => {
    // Open pages reconnect their event streams at once: their connection closes with that response.
    server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('connection', 'close'))
    const closed = new Promise((done) => server.close(done))
    await stopEvents()
    await stopRenewal()
    await stopIndexing()
    await stopJobs()
    await stopAnswers()
    await stopDuplicates()
    await stopReanchoring()
    await stopSavedSearches()
    await stopZotero()
    await stopRunWatch()
    await stopConversationExports()
    await stopTrash()
    await stopKeys()
    await stopSessions()
    // Calls that could take minutes get an error; short ones complete.
    const late = setTimeout(endLongCalls, GRACE_MS / 2)
    // The next start continues file removals that hang in the storage.
    await Promise.race([stopFileRemoval(), new Promise((over) => setTimeout(over, GRACE_MS / 2).unref())])
    await stopMail()
    await Promise.race([stopFeeds(), new Promise((late) => setTimeout(late, GRACE_MS / 2).unref())])
    await Promise.race([closed, new Promise((late) => setTimeout(late, GRACE_MS).unref())])
    clearTimeout(late)
    await stopWorkerPools()
    await stopCodes()
    await stopTracing()
    await database.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  warnOfSettings()
  console.log(`${env.PRODUCT_NAME} is ready at ${publicUrl()}`)
}

/** Logs warnings about settings that probably do not have the effect that the operator expects. */
function warnOfSettings(): void {
  for (const { name, resembles } of similarSettings(givenNames(), SETTING_NAMES))
    log.warn(`${name} is no setting; is ${resembles} meant?`)
  if (env.SIGN_UP_DOMAINS.length > 0 && env.PASSWORD_SIGN_IN && !mailEnabled())
    log.warn('SIGN_UP_DOMAINS without SMTP_URL: the addresses of new accounts are not confirmed')
  if (isNameless())
    log.warn(
      { HOST: env.HOST },
      'PUBLIC_URL is not set: people reach this server by its IP addresses and the name of this machine only, and links in e-mails do not work; set PUBLIC_URL to the address that people use',
    )
}
