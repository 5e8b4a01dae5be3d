import type { Statement } from './statements.ts'

/** Maximum number of characters of a post on a social network. */
export const LONGEST_POST = 280

/**
 * Returns a social media post that quotes the paper instead of generating text: the first finding that fits, in quotation
 * marks, the title, and the address of the DOI if it fits. Shortens the title at a word if necessary. Without a fitting
 * finding, `finding` is null and the post has the title only. `text` is '' if there is no title either.
 */
export function writeSocialPost(
  title: string | null,
  findings: readonly Statement[],
  doi: string | null,
): { text: string; finding: Statement | null } {
  const link = doi ? ` https://doi.org/${doi}` : ''
  for (const finding of findings) {
    const quote = `“${finding.text}”`
    const forTitle = LONGEST_POST - quote.length - 3
    if (title === null ? quote.length > LONGEST_POST : forTitle < Math.min(title.length, 40)) continue
    const named = title === null ? quote : `${quote} — ${shorten(title, forTitle)}`
    return { text: named.length + link.length <= LONGEST_POST ? named + link : named, finding }
  }
  if (title === null) return { text: '', finding: null }
  const named = shorten(title, LONGEST_POST)
  return { text: named.length + link.length <= LONGEST_POST ? named + link : named, finding: null }
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2)).trimEnd()}…`
}
