import { doiKey } from '#shared/contract/doi.ts'
import {
  identifierKey,
  KIND_LABELS,
  KIND_SERVICES,
  type LookedUpLine,
  type LookedUpPaper,
  NOT_AN_IDENTIFIER,
} from '#shared/contract/identifiers.ts'
import { recognizeIdentifier } from '#shared/references/identifiers.ts'

/**
 * A line that the user entered in a look-up of identifiers, and its state. 'looking': the server has not sent the result yet.
 * 'repeated': an earlier line identifies the same paper. 'unknown': the line contains no identifier. The other states are
 * results of the server.
 */
export interface LookUpRow {
  /** Index of the line (from 0). Empty lines are not counted. */
  at: number
  text: string
  /** The kind of identifier, for example 'DOI'; undefined if the line contains no identifier. */
  kind?: string
  state: LookedUpLine['state'] | 'looking' | 'repeated' | 'unknown'
  message?: string | undefined
  result?: LookedUpLine
}

/**
 * Returns a row for each line. `results` contains the results of the server, by the `identifierKey` of the line. A line is
 * 'repeated' if an earlier line has the same identifier, or another identifier of the same paper.
 */
export function lookUpRows(lines: readonly string[], results: ReadonlyMap<string, LookedUpLine>): LookUpRow[] {
  const seen = new Map<string, number>()
  return lines.map((text, at): LookUpRow => {
    const identifier = recognizeIdentifier(text)
    const key = identifierKey(text)
    if (!identifier || !key) return { at, text, state: 'unknown', message: NOT_AN_IDENTIFIER }
    const row = { at, text, kind: KIND_LABELS[identifier.kind] }
    const result = results.get(key)
    const keys = [key, ...(result?.paper ? [paperKey(result.paper)] : result?.document ? [result.document.id] : [])]
    const before = keys.map((one) => seen.get(one)).find((line) => line !== undefined)
    for (const one of keys) if (!seen.has(one)) seen.set(one, at)
    if (before !== undefined) return { ...row, state: 'repeated', message: `The same paper as line ${before + 1}.` }
    if (!result) return { ...row, state: 'looking', message: `Asking ${KIND_SERVICES[identifier.kind]}` }
    return { ...row, state: result.state, message: result.message ?? undefined, result }
  })
}

/**
 * Returns a key by which two results can be recognized as the same paper: its DOI, else its PMID, else the ISBN of a book, else
 * its title.
 */
function paperKey({ reference: { DOI, PMID, ISBN, title, type } }: LookedUpPaper): string {
  if (DOI) return `doi:${doiKey(DOI)}`
  if (PMID) return `pmid:${PMID}`
  return type === 'book' && ISBN ? `isbn:${ISBN}` : `title:${title}`
}

/** Returns the number of rows of each state in words: '3 found, 1 already here, 1 not found'. */
export function countsInWords(rows: readonly LookUpRow[]): string {
  const count = (...states: LookUpRow['state'][]) => rows.filter(({ state }) => states.includes(state)).length
  const parts: [number, string][] = [
    [count('found'), 'found'],
    [count('here'), 'already here'],
    [count('repeated'), 'repeated'],
    [count('not_found', 'unknown'), 'not found'],
    [count('failed'), 'failed'],
    [count('looking'), 'being looked up'],
  ]
  return parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(', ')
}
