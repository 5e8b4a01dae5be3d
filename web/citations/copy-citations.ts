import { CITATIONS_MAX } from '#shared/contract/citations.ts'
import { messageOf } from '#web/lib/api.ts'
import { requireClipboard } from '#web/lib/copy-text.ts'
import { toast } from '#web/lib/toasts.tsx'
import { type CitingProject, styleFor } from './last-used.ts'
import { fetchCitations } from './queries.ts'

/** A citation as HTML and as plain text for the clipboard. */
export interface Copied {
  html: string
  text: string
}

/**
 * Copies a text to the clipboard as HTML and as plain text. Returns true if it was copied; otherwise shows a toast with the
 * error and returns false. Pass a promise if the text must be fetched first, because the browser permits copying only if it
 * starts during the click.
 */
export async function copyBoth(parts: Copied | Promise<Copied>): Promise<boolean> {
  const blob = async (kind: keyof Copied) => new Blob([(await parts)[kind]], { type: TYPES[kind] })
  try {
    requireClipboard()
    const item = new ClipboardItem({ [TYPES.html]: blob('html'), [TYPES.text]: blob('text') })
    // The error of the parts is the reason if both fail.
    await Promise.all([parts, navigator.clipboard.write([item])])
    return true
  } catch (error) {
    toast({ title: 'Error copying', description: messageOf(error), destructive: true })
    return false
  }
}

const TYPES = { html: 'text/html', text: 'text/plain' } as const

/**
 * Copies the citations of papers to the clipboard and shows a toast. The style is the default style of their project, else the
 * last used style.
 */
export async function copyCitations(ids: string[], project: CitingProject): Promise<void> {
  if (ids.length > CITATIONS_MAX) {
    toast({ title: 'Error', description: `At most ${CITATIONS_MAX} documents at a time.`, destructive: true })
    return
  }
  const cited = fetchCitations({ ids, style: styleFor(project) })
  const parts = cited.then(({ html, text }) => ({
    html: html.bibliography.join('\n') || html.intext,
    text: text.bibliography.join('\n') || text.intext,
  }))
  if (await copyBoth(parts)) toast({ title: ids.length === 1 ? 'Citation copied' : `${ids.length} citations copied` })
}
