import { rememberScan } from '#server/documents/index.ts'
import { extractText } from '#server/extraction/index.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/lib/session.ts'
import { storage } from '#server/lib/storage.ts'
import type { DocumentRow } from '#shared/documents.ts'
import { hasWords } from '#shared/page-text.ts'

/** Longer than this nobody waits for the end of an import; the extraction itself will tell later. */
const LOOK_MS = 15_000

/**
 * Looks whether an imported PDF has any text, while its person is still there to be told, and notes on the document when
 * its pages are pictures. A file that cannot be read keeps its place: its extraction says why.
 */
export async function noteScan(actor: Actor, document: DocumentRow, signal: AbortSignal): Promise<DocumentRow> {
  if (document.source_url === null) return document
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])
    const { text, pageCount } = await storage().withLocalFile(document.source_url, (path) =>
      extractText(path, { person: actor.userId, signal: limit }),
    )
    if (hasWords(text)) return document
    await rememberScan(actor, document.id, { method: 'text', pageCount, facts: null })
    return { ...document, text_warning: 'scan', page_count: pageCount }
  } catch (error) {
    log.info({ err: error }, 'an imported PDF could not be looked at for its text')
    return document
  }
}
