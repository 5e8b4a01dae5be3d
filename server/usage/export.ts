import { asAdmin } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { csvLine } from '#server/lib/csv-line.ts'
import { type Period, readCallRows, readDailyRows } from './queries.ts'

/** Number of rows that one query of an export reads. It limits the memory of an export. */
const AT_ONCE = 2000

const DAY_HEAD = ['day', 'person', 'name', 'model', 'purpose', 'calls', 'failed', 'tokens_in', 'tokens_out', 'cost_usd']
const CALL_HEAD = [
  'time',
  'person',
  'name',
  'model',
  'purpose',
  'tokens_in',
  'tokens_out',
  'tokens_estimated',
  'cost_usd',
  'milliseconds',
  'ok',
  'error',
  'document_id',
]

/** U+FEFF, in UTF-8 the bytes EF BB BF. Excel assumes a local encoding for a file that does not begin with it. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Yields the usage in a period as CSV, in parts that are each read in a separate transaction. `rows` selects daily sums or
 * single calls. `hasBom` adds a byte-order mark.
 */
export async function* exportUsage(
  actor: Actor,
  period: Period,
  { rows, hasBom }: { rows: 'days' | 'calls'; hasBom: boolean },
): AsyncGenerator<string> {
  if (hasBom) yield BYTE_ORDER_MARK
  yield csvLine(rows === 'days' ? DAY_HEAD : CALL_HEAD)
  yield* rows === 'days' ? exportDays(actor, period) : exportCalls(actor, period)
}

async function* exportDays(actor: Actor, period: Period): AsyncGenerator<string> {
  let last: Parameters<typeof readDailyRows>[2] = null
  for (;;) {
    const part = await asAdmin(actor, (tx) => readDailyRows(tx, period, last, AT_ONCE))
    if (part.length > 0)
      yield part
        .map(({ row, email, full_name }) =>
          csvLine([
            row.day,
            email,
            full_name,
            row.model,
            row.purpose,
            row.calls,
            row.failed,
            row.tokens_in,
            row.tokens_out,
            row.cost_usd,
          ]),
        )
        .join('')
    if (part.length < AT_ONCE) return
    last = part.at(-1)!.row
  }
}

async function* exportCalls(actor: Actor, period: Period): AsyncGenerator<string> {
  let last: Parameters<typeof readCallRows>[2] = null
  for (;;) {
    const part = await asAdmin(actor, (tx) => readCallRows(tx, period, last, AT_ONCE))
    if (part.length > 0)
      yield part
        .map(({ row, email, full_name }) =>
          csvLine([
            row.created_at,
            email,
            full_name,
            row.model,
            row.purpose,
            row.tokens_in,
            row.tokens_out,
            row.tokens_estimated,
            row.cost_usd,
            row.milliseconds,
            row.ok,
            row.error,
            row.document_id,
          ]),
        )
        .join('')
    if (part.length < AT_ONCE) return
    const { at, row } = part.at(-1)!
    last = { at, id: row.id }
  }
}
