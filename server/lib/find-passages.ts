import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { findPassage, preparePage } from '#shared/find-passage.ts'
import { splitPages } from '#shared/page-text.ts'
import type { FoundPassage } from '#shared/passages.ts'

/** Words to look up in a text, and the page they are expected near. */
export interface WantedPassage {
  quote: string
  nearPage?: number | undefined
}

/** What a thread of its own is given. */
export interface PassagesTask {
  text: string
  wanted: readonly WantedPassage[]
}

/** A text or page beyond this holds up every other request for longer than anybody should notice. */
const LONG_TEXT = 3_000_000
const LONG_PAGE = 300_000
/** So much is prepared before others get their turn. */
const AT_ONCE = 100_000

/** One long text at a time: what follows waits here. */
let line: Promise<unknown> = Promise.resolve()

/**
 * Looks every quote up in a text with page markers, by `findPassage`, in the order given. Gives way to other work between
 * look-ups; a text that is too long for that is searched in a thread of its own.
 */
export async function findPassages(text: string, wanted: readonly WantedPassage[]): Promise<FoundPassage[]> {
  if (wanted.length === 0) return []
  const pages = splitPages(text)
  if (text.length <= LONG_TEXT && pages.every((page) => page.text.length <= LONG_PAGE)) {
    let prepared = 0
    for (const page of pages) {
      preparePage(page)
      prepared += page.text.length
      if (prepared > AT_ONCE) {
        prepared = 0
        await setImmediate()
      }
    }
    const found: FoundPassage[] = []
    for (const { quote, nearPage } of wanted) {
      found.push(findPassage(pages, quote, { nearPage }))
      await setImmediate()
    }
    return found
  }
  const turn = line.then(() => inThread({ text, wanted }))
  line = turn.catch(() => undefined)
  return turn
}

function inThread(task: PassagesTask): Promise<FoundPassage[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./find-passages.worker.ts', import.meta.url), { workerData: task, env: {} })
    thread.once('message', (found: FoundPassage[]) => resolve(found))
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`The thread that looks passages up ended with ${code}.`)))
  })
}
