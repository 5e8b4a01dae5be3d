import { parentPort } from 'node:worker_threads'
import { decodeText } from './decode-text.ts'
import { type FeedItem, NotAFeed, readFeed } from './parse-feed.ts'
import { type NamedFeed, readOpml } from './parse-opml.ts'

/** What the worker reads: the bytes of a feed as they came, or the file of another feed reader. */
export type ParseTask =
  | { kind: 'feed'; bytes: Uint8Array; contentType: string; address: string }
  | { kind: 'opml'; text: string }

/** What it answers; `refused` where it cannot be read. */
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
