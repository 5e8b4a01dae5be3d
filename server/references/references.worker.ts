import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { boundedReference, inspectReferences, openReferences, readReferences } from '#server/formats/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { displayName } from '#shared/references/names.ts'
import { plainText, yearOf } from '#shared/references/columns.ts'
import { joinBatch, samePapers } from './join-batch.ts'
import { createPlan, keysOf } from './plan-records.ts'
import {
  BATCH_RECORDS,
  type Batch,
  type Candidate,
  type PlannedRecord,
  type ReferenceRequest,
  type ReferenceTasks,
} from './tasks.ts'

const port = parentPort!
port.on('message', (request: ReferenceRequest) => {
  try {
    send({ result: run(request) })
  } catch (error) {
    send({ failure: failureOf(error) })
  }
})

const send = (message: WorkerMessage) => port.postMessage(message)

function run(request: ReferenceRequest): unknown {
  switch (request.task) {
    case 'inspect':
      return inspect(request)
    case 'read':
      return read(request)
    case 'join': {
      const { records, candidates, joinDuplicates } = request
      const text = typeof records === 'string' ? records : new TextDecoder().decode(records)
      return joinBatch(JSON.parse(text) as PlannedRecord[], JSON.parse(candidates) as Candidate[], joinDuplicates)
    }
    case 'plan': {
      const plan = createPlan(request.choices)
      for (const [index, record] of request.records.entries())
        plan.add({ ...record, position: request.before + index + 1, line: null })
      return { keys: JSON.stringify(keysOf(plan.records)), records: JSON.stringify(plan.records) }
    }
    case 'match': {
      const { records, candidates } = request
      return samePapers(JSON.parse(records) as PlannedRecord[], JSON.parse(candidates) as Candidate[])
    }
  }
}

function inspect({ path, format: chosen, columns: matched }: ReferenceTasks['inspect']['input']) {
  const { text, format } = openReferences(readFileSync(path), chosen)
  const { count, records, hasGroups, columns } = inspectReferences(text, format, matched)
  const shown = records.map(({ position, reference, reason }) => {
    const item = reference && boundedReference(reference)
    return {
      position,
      title: plainText(item?.title) || null,
      authors: (item?.author ?? []).slice(0, 20).map(displayName),
      year: item ? yearOf(item) : null,
      reason: reason ?? null,
    }
  })
  return { format, count, records: shown, hasGroups, columns }
}

/** Reads all records of the file `path`, and writes them in batches to the file `target`. */
function read({ path, target, choices }: ReferenceTasks['read']['input']): ReferenceTasks['read']['output'] {
  const { text, format } = openReferences(readFileSync(path), choices.format)
  const plan = createPlan(choices)
  for (const record of readReferences(text, format, choices.columns)) {
    plan.add(record)
    if (record.position % 100 === 0) send({ progress: record.position })
  }
  const { records } = plan
  const batches: Batch[] = []
  const file = openSync(target, 'wx', 0o600)
  try {
    let at = 0
    const write = (value: unknown) => (at += writeSync(file, `${JSON.stringify(value)}\n`))
    for (let from = 0; from < records.length; from += BATCH_RECORDS) {
      const part = records.slice(from, from + BATCH_RECORDS)
      const keysAt = at
      const recordsAt = write(keysOf(part))
      batches.push({ keysAt, recordsAt, end: write(part), count: part.length })
    }
  } finally {
    closeSync(file)
  }
  return { batches, tags: [...new Set(records.flatMap(({ tags }) => tags))], count: records.length }
}

/**
 * Converts an error to the failure that the worker returns. Only an AppError has a message for users. A RangeError means that a
 * text, a list or the nesting of a record exceeds the limits of JavaScript.
 */
function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  if (error instanceof RangeError)
    return { code: 'refused', message: 'A record of this file is too long or too deeply nested.' }
  return { code: 'internal', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
