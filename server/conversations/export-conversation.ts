import type { Actor } from '#server/db/actor.ts'
import { AppError } from '#server/lib/errors.ts'
import { createWorkerPool, type WorkerPool } from '#server/workers/worker-pool.ts'
import type { ConversationFormat } from '#shared/contract/conversations.ts'
import { exportBlocks } from './export-blocks.ts'
import { getConversation } from './service.ts'
import { writeMarkdown } from './write-markdown.ts'

const MEMORY_MB = 512
const IDLE_MS = 30_000
const TIMEOUT_MS = 60_000

const LONGEST_NAME = 80
/** Matches characters that Windows does not allow in the name of a file. */
const NOT_IN_NAMES = /[\\/:*?"<>|\p{Cc}]+/gu

let opened: WorkerPool | undefined

const pool = () =>
  (opened ??= createWorkerPool({
    script: new URL('./docx.worker.ts', import.meta.url),
    size: 1,
    memoryMb: MEMORY_MB,
    queueLimit: 100,
    personLimit: 5,
    idleMs: IDLE_MS,
    errors: {
      slow: () => new AppError('refused', 'The export of this conversation takes too long; it was stopped.'),
      memory: (cause) =>
        new AppError('refused', 'The export of this conversation takes too much memory; it was stopped.', { cause }),
      lost: (cause) => new AppError('internal', 'The export of this conversation failed.', { cause }),
      full: () =>
        new AppError('too_many', 'Too many of your exports are waiting. Please try again in a moment.', {
          retryAfter: 10,
        }),
    },
  }))

/** A file for a download. */
export interface ExportedFile {
  name: string
  type: string
  body: string | Uint8Array<ArrayBuffer>
}

const TYPES: Record<ConversationFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/**
 * Returns a conversation as a file. Sentences without evidence (quotes found in the papers) are in the JSON only. DOCX is
 * written in a worker thread. Throws 'not_found' if the caller cannot read the conversation.
 */
export async function exportConversation(actor: Actor, id: string, format: ConversationFormat): Promise<ExportedFile> {
  const conversation = await getConversation(actor, id)
  const title = conversation.title.replaceAll(NOT_IN_NAMES, ' ').slice(0, LONGEST_NAME).trim()
  const name = `${title || 'conversation'}.${format}`
  const file = { name, type: TYPES[format] }
  if (format === 'json') return { ...file, body: `${JSON.stringify(conversation, null, 2)}\n` }
  const blocks = exportBlocks(conversation)
  if (format === 'md') return { ...file, body: writeMarkdown(blocks) }
  const body = await pool().run(blocks, { person: actor.userId, timeoutMs: TIMEOUT_MS })
  return { ...file, body: new Uint8Array(body as Uint8Array) }
}

/** Ends the worker that writes DOCX. The next export starts a new worker. */
export async function stopConversationExports(): Promise<void> {
  await opened?.stop()
  opened = undefined
}
