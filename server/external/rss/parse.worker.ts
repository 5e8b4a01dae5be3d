import { parentPort } from 'node:worker_threads'
import { decodeText } from '#shared/text/decode-text.ts'
import { type FeedItem, NotAFeed, readFeed } from './parse-feed.ts'
import { type NamedFeed, readOpml } from './parse-opml.ts'

/** Input of the worker: the raw bytes of a feed, or the text of an OPML file. */
export type ParseTask =
  | { kind: 'feed'; bytes: Uint8Array; contentType: string; address: string }
  | { kind: 'opml'; text: string }

/** Result of a task. `refused` is the reason when the input cannot be read. */
export interface ParseReply {
  id: number
  items?: FeedItem[]
  feeds?: NamedFeed[]
  refused?: string
}

parentPort!.on('message', ({ id, task }: { id: number; task: ParseTask }) => {
  parentPort!.postMessage({ id, ...read(task) } satisfies ParseReply)
})

function read(task: ParseTask): Omit<ParseReply, 'id'> {
  try {
    if (task.kind === 'opml') return { feeds: readOpml(task.text) }
    return { items: readFeed(decodeText(task.bytes, task.contentType), task.address) }
  } catch (error) {
    return { refused: error instanceof NotAFeed ? error.message : 'The feed cannot be read.' }
  }
}
