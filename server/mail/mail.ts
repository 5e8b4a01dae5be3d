import type { Transporter } from 'nodemailer'
import { asSystem, type Tx } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { mailTries } from '#server/lib/metrics.ts'
import { delayEmail, deleteEmail, deleteExpiredEmails, insertEmail, takeEmail } from './outbox-queries.ts'

const LOOK_MS = 5_000
/**
 * Number of seconds for which an e-mail is reserved for the process that sends it. Sending takes less time, so no other process
 * sends the same e-mail.
 */
const SENDING_SECONDS = 120
const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 }
/** Time in seconds after which an e-mail without an expiring link is given up. */
const WEEK_SECONDS = 7 * 24 * 3600
/** Delays between attempts to send an e-mail, in seconds. The last delay is repeated. */
const WAITS = [5, 15, 60, 300, 900, 3600]

let transport: Transporter | undefined
let timer: NodeJS.Timeout | undefined
let looking: Promise<void> | undefined
let again = false

/** Returns whether this server can send e-mail, which is the case if SMTP_URL and MAIL_FROM are set. */
export const mailEnabled = () => env.SMTP_URL !== undefined

/**
 * Opens the mail server of SMTP_URL. Loads nodemailer only when it is called, because a server without e-mail does not need it.
 */
async function openTransport(): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url: env.SMTP_URL, ...LIMITS })
}

/** Connects to the mail server, and throws if it does not accept the connection with the current settings. Needs SMTP_URL. */
export async function checkMail(): Promise<void> {
  const probe = await openTransport()
  try {
    await probe.verify()
  } finally {
    probe.close()
  }
}

/** The texts of an e-mail: subject, greeting, a paragraph, a link with its label, and a closing remark. */
export interface Words {
  subject: string
  greeting: string
  text: string
  /** `seconds`: the lifetime of the link. After this time, the e-mail is not sent. */
  link: { label: string; url: string; seconds?: number }
  closing: string
}

/**
 * Stores an e-mail in the outbox and starts sending it. If the mail server is unreachable, it is sent later, even after a
 * restart.
 */
export async function queueMail(recipient: string, words: Words): Promise<void> {
  await asSystem((tx) => addMail(tx, recipient, words))
  sendOutbox()
}

/**
 * Stores an e-mail in the outbox in the transaction `tx`, which must run as the database role that owns the tables. It is
 * sent a few seconds after the commit.
 */
export async function addMail(tx: Tx, recipient: string, words: Words): Promise<void> {
  const { subject, link } = words
  await insertEmail(tx, { recipient, subject, text: asText(words), html: asHtml(words) }, link.seconds ?? WEEK_SECONDS)
}

/** Starts the timer that sends the e-mails of the outbox. Does nothing without SMTP_URL. */
export async function startMail(): Promise<void> {
  if (!env.SMTP_URL) return
  transport = await openTransport()
  timer = setInterval(sendOutbox, LOOK_MS)
  sendOutbox()
}

/** Stops the timer of the outbox. Waits until the current e-mail has been sent. */
export async function stopMail(): Promise<void> {
  clearInterval(timer)
  again = false
  const sender = transport
  transport = undefined
  await looking
  sender?.close()
}

/** Sends the e-mails of the outbox without waiting for the timer. Call it after the commit of `addMail`. */
export function sendOutbox(): void {
  again = true
  looking ??= sendAll()
    .catch((error: unknown) => log.error({ err: error }, 'the outbox cannot be read'))
    .finally(() => {
      looking = undefined
    })
}

async function sendAll(): Promise<void> {
  while (again && transport) {
    again = false
    await deleteExpiredEmails()
    while (transport) {
      // `stopMail` waits for the e-mail that is being sent, and then closes this transport.
      const sender = transport
      const email = await takeEmail(SENDING_SECONDS)
      if (!email) break
      const { id, recipient: to, subject, text, html, attempts } = email
      try {
        await sender.sendMail({ from: env.MAIL_FROM, to, subject, text, html })
        mailTries.inc({ outcome: 'sent' })
        await deleteEmail(id)
      } catch (error) {
        mailTries.inc({ outcome: 'failed' })
        log.warn({ err: error, attempts }, 'an e-mail could not be sent; it is tried again later')
        await delayEmail(id, WAITS[Math.min(attempts, WAITS.length) - 1] ?? WAITS[0]!)
      }
    }
  }
}

const asText = ({ greeting, text, link, closing }: Words) =>
  `${greeting}\n\n${text}\n\n${link.url}\n\n${closing}\n\n${env.PRODUCT_NAME}\n`

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]!)

const asHtml = ({ greeting, text, link, closing }: Words) =>
  `<!doctype html><html lang="en"><body style="font:16px/1.5 sans-serif;max-width:34em">
<p>${escape(greeting)}</p>
<p>${escape(text)}</p>
<p><a href="${escape(link.url)}">${escape(link.label)}</a></p>
<p>${escape(closing)}</p>
<p>${escape(env.PRODUCT_NAME)}</p>
</body></html>
`
