import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { decodeText } from '#shared/text/decode-text.ts'
import { NotAFeed, readFeed } from './parse-feed.ts'
import { readOpml } from './parse-opml.ts'

/** Input of the worker: the raw bytes of a feed, or the text of an OPML file. */
export type ParseTask =
  | { kind: 'feed'; bytes: Uint8Array; contentType: string; address: string }
  | { kind: 'opml'; text: string }

parentPort!.on('message', (task: ParseTask) => parentPort!.postMessage(read(task)))

/** The result is a FeedItem[] or NamedFeed[]; the message of a failure is for users. */
function read(task: ParseTask): WorkerMessage {
  try {
    if (task.kind === 'opml') return { result: readOpml(task.text) }
    return { result: readFeed(decodeText(task.bytes, task.contentType), task.address) }
  } catch (error) {
    const message = error instanceof NotAFeed ? error.message : 'The feed cannot be read.'
    return { failure: { code: 'refused', message } }
  }
}
