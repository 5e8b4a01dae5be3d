import { asSystem } from '#server/db/client.ts'
import { env, publicUrl } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { addMail, mailEnabled, sendOutbox } from '#server/mail/mail.ts'
import { pages } from '#shared/contract/paths.ts'
import { deleteOldCalls, takeEndingKeys } from './queries.ts'
import { flushCalls } from './record-calls.ts'

const HOUR_MS = 60 * 60_000

let timer: NodeJS.Timeout | undefined
let running: Promise<void> = Promise.resolve()

/** Starts the hourly maintenance of keys: sends e-mails about keys that expire soon, and deletes old calls. */
export function startKeys(): void {
  const run = () => {
    running = upkeep().catch((error: unknown) => log.error({ err: error }, 'the upkeep of API keys failed'))
  }
  timer = setInterval(run, HOUR_MS)
  run()
}

/** Stops the hourly maintenance of keys, and writes the recorded calls in memory to the database. */
export async function stopKeys(): Promise<void> {
  clearInterval(timer)
  await running
  await flushCalls()
}

async function upkeep(): Promise<void> {
  await asSystem(deleteOldCalls)
  if (!mailEnabled()) return
  await asSystem(async (tx) => {
    for (const key of await takeEndingKeys(tx))
      await addMail(tx, key.email, {
        subject: `An API key of ${env.PRODUCT_NAME} ends soon`,
        greeting: 'Hello,',
        text: `your API key ${key.prefix}… ends on ${key.expires_at!.slice(0, 10)} (UTC). Programs that use it stop working then. Create a new key to replace it:`,
        link: { label: 'API keys', url: publicUrl() + pages.apiKeys() },
        closing: 'If you no longer use this key, you need not do anything.',
      })
  })
  sendOutbox()
}
