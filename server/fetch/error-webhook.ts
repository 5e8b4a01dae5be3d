import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { log, onErrorLine } from '#server/lib/log.ts'
import { outsideRequests } from '#server/lib/request-context.ts'
import { commit, version } from '#server/lib/version.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { userAgent } from './user-agent.ts'

const MINUTE_MS = 60_000
const MOST_A_MINUTE = 5
const LIMIT_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024

/** The fields of a log line that are sent. They do not include the id of the user. */
const FIELDS = ['time', 'msg', 'request', 'route', 'job', 'kind', 'err'] as const

let sent: number[] = []
let omitted = 0

/** Starts to send unexpected errors to ERROR_WEBHOOK_URL, if it is set. */
export function startErrorReports(): void {
  if (env.ERROR_WEBHOOK_URL) onErrorLine(report)
}

/**
 * Sends the log line of an error in the background, at most five per minute. Each report contains the number of errors that
 * were omitted since the report before it.
 */
function report(line: Record<string, unknown>): void {
  const now = performance.now()
  sent = sent.filter((at) => at > now - MINUTE_MS)
  if (sent.length >= MOST_A_MINUTE) {
    omitted += 1
    return
  }
  sent.push(now)
  const body = {
    release: { version, commit },
    ...Object.fromEntries(
      FIELDS.map((name) => [name === 'msg' ? 'message' : name === 'err' ? 'error' : name, line[name]]),
    ),
    omitted,
  }
  omitted = 0
  outsideRequests(() => send(body)).catch((error: unknown) =>
    // A warning, because errors are reported: a failed report would cause another report.
    log.warn({ err: error }, 'an error could not be reported to ERROR_WEBHOOK_URL'),
  )
}

async function send(body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent() }
  const { response } = await boundedFetch(
    new URL(env.ERROR_WEBHOOK_URL!),
    { method: 'POST', headers, body: JSON.stringify(body) },
    {
      wholeMs: LIMIT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      describe: (kind) => new AppError('outside_failed', `The error report failed: ${kind}.`),
    },
  )
  await response.body?.cancel()
  if (!response.ok) throw new AppError('outside_failed', `The error report was answered with ${response.status}.`)
}
