import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { decodeText } from '#shared/text/decode-text.ts'
import { readArxivEntries } from '../arxiv/read-entries.ts'
import { readCitationTags } from '../web-page/read-tags.ts'
import { NotAFeed, readFeed } from './parse-feed.ts'
import { readOpml } from './parse-opml.ts'

/** A response body with its Content-Type header and its address. */
export interface FetchedBytes {
  bytes: Uint8Array
  contentType: string
  address: string
}

/** Input of the worker: the bytes of a feed or a web page, an OPML file, or a response of arXiv. */
export type ParseTask = ({ kind: 'feed' | 'page' } & FetchedBytes) | { kind: 'opml' | 'arxiv'; text: string }

parentPort!.on('message', (task: ParseTask) => parentPort!.postMessage(read(task)))

/** Runs the parser for the kind of the task. Returns its result, or a failure with a message for users. */
function read(task: ParseTask): WorkerMessage {
  try {
    if ('text' in task) return { result: task.kind === 'opml' ? readOpml(task.text) : readArxivEntries(task.text) }
    const text = decodeText(task.bytes, task.contentType)
    return { result: task.kind === 'page' ? readCitationTags(text, task.address) : readFeed(text, task.address) }
  } catch (error) {
    const message = error instanceof NotAFeed ? error.message : 'The feed cannot be read.'
    return { failure: { code: 'refused', message } }
  }
}
