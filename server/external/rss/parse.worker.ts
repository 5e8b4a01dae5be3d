import { parentPort } from 'node:worker_threads'
import { decodeText } from './decode-text.ts'
import { NotAFeed, readFeed } from './parse-feed.ts'

/** The bytes of a feed as they came. */
export interface ParseTask {
  id: number
  bytes: Uint8Array
  contentType: string
  address: string
}

parentPort!.on('message', ({ id, bytes, contentType, address }: ParseTask) => {
  try {
    parentPort!.postMessage({ id, items: readFeed(decodeText(bytes, contentType), address) })
  } catch (error) {
    parentPort!.postMessage({ id, refused: error instanceof NotAFeed ? error.message : 'The feed cannot be read.' })
  }
})
