import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { readItemPage } from './item-of.ts'

parentPort!.on('message', (text: string) => parentPort!.postMessage(read(text)))

/** Parses a page of items. The result in the message is a ZoteroItem[]. */
function read(text: string): WorkerMessage {
  try {
    return { result: readItemPage(text) }
  } catch {
    return { failure: { code: 'outside_failed', message: 'Zotero gave an answer that does not follow the protocol.' } }
  }
}
