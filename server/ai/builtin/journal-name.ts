import type { PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import { asPrinted, type FrontMatter } from './first-page.ts'
import type { Quoted } from './quoted.ts'

/** Journal names by DOI prefix of their publishers: for pages without a name, or with a short form. */
const BY_DOI: readonly (readonly [string, string])[] = [
  ['10.1371/journal.pone', 'PLOS ONE'],
  ['10.1371/journal.pntd', 'PLOS Neglected Tropical Diseases'],
  ['10.1371/journal.pmed', 'PLOS Medicine'],
  ['10.1371/journal.pbio', 'PLOS Biology'],
  ['10.1371/journal.pcbi', 'PLOS Computational Biology'],
  ['10.1371/journal.pgen', 'PLOS Genetics'],
  ['10.1371/journal.ppat', 'PLOS Pathogens'],
  ['10.7717/peerj-cs.', 'PeerJ Computer Science'],
  ['10.7717/peerj.', 'PeerJ'],
  ['10.7554/elife.', 'eLife'],
  ['10.21105/joss.', 'Journal of Open Source Software'],
  ['10.21105/jose.', 'Journal of Open Source Education'],
  ['10.1136/bmjopen-', 'BMJ Open'],
  ['10.1136/bmj.', 'BMJ'],
  ['10.1001/jama.', 'JAMA'],
  ['10.1056/nejm', 'New England Journal of Medicine'],
  ['10.1016/s0140-6736', 'The Lancet'],
  ['10.1016/j.cell.', 'Cell'],
  ['10.1038/s41586', 'Nature'],
  ['10.1038/s41598', 'Scientific Reports'],
  ['10.1038/s41467', 'Nature Communications'],
  ['10.1038/s41591', 'Nature Medicine'],
  ['10.1126/science.', 'Science'],
  ['10.1073/pnas.', 'Proceedings of the National Academy of Sciences'],
  ['10.1002/14651858.', 'Cochrane Database of Systematic Reviews'],
  ['10.1186/s12916', 'BMC Medicine'],
  ['10.1186/s12889', 'BMC Public Health'],
  ['10.3389/fpsyg.', 'Frontiers in Psychology'],
  ['10.3389/fpubh.', 'Frontiers in Public Health'],
  ['10.3390/nu', 'Nutrients'],
]

const WORD = String.raw`(?:\p{Lu}[\p{L}&’'-]*\.?|of|and|the|in|for|on|&|und|für|der|de|la)`
const NAME = String.raw`(?<name>\p{Lu}[\p{L}&’'-]*\.?:?(?: ${WORD}:?){0,9}?)`
/** The text after a journal's name when its volume, issue or address is printed. */
const AFTER = [
  String.raw`\s+\((?:19|20)\d\d\)\s*,?\s*\d{1,4}\s*[:(,]`,
  String.raw`,?\s+\d{1,4}\s?\(\d{1,4}(?:[–-]\d{1,4})?\)\s*[:,;.]`,
  String.raw`,?\s+(?:Vol(?:ume|\.)?)\s*\d{1,4}`,
  String.raw`[.,]?\s+(?:19|20)\d\d\s*;\s*\d{1,4}`,
  String.raw`\s+\d{1,4}:\s?e?\d{1,6}\b`,
  String.raw`\s*[|•]\s*(?:www\.|https?:|doi|\(?(?:19|20)\d\d|Vol)`,
  String.raw`,?\s+\((?:19|20)\d\d\)\s+\d{1,4}:`,
].map((after) => new RegExp(String.raw`(?:^|[.!?:|]\s|^In\s)${NAME}${after}`, 'u'))
const VENUE =
  /\bIn (?:Proceedings of (?:the )?)?(?<name>[^.,]{0,60}?\b(?:Conference|Symposium|Workshop|Congress)\b[^.,(]{0,90}(?:\([^)]{2,25}\))?)/u
/** A journal's name alone on a line, as in a running head. */
const ALONE =
  /^(?:The )?(?:\p{Lu}[\p{L}&-]* ){0,3}(?:Journal|Annals|Archives|Bulletin|Transactions|Proceedings)(?: (?:of|on|for|in) [\p{L}&, -]{3,70})?$/u
const NO_NAME =
  /^(?:vol|issue|page|article|received|accepted|published|copyright|doi|available|table|figure|fig|section|version|in|the|chapter|supplement|author|open access)\b/i

/**
 * Returns the name of the journal or conference: as printed next to a volume, an issue or its address; a short form is
 * replaced by the full name if the DOI gives it; last the PDF's subject line.
 */
export function findJournal(front: FrontMatter, doi: string | null, metadata: PdfMetadata | null): Quoted | null {
  const byDoi = doi ? BY_DOI.find(([start]) => doi.toLowerCase().startsWith(start))?.[1] : undefined
  const cites = front.around.filter((text) =>
    /^(?:citation|how to cite|cite this|to cite)|et al\b.{0,20}\((?:19|20)\d\d\)/i.test(text),
  )
  const printed = [...front.runningLines, ...cites, ...front.paragraphs.filter((text) => text.length < 200)]
    .map((line) => nameIn(line.slice(0, 1500)))
    .filter((name) => name !== null)
  const alone = [...front.runningLines, ...front.paragraphs.slice(0, 4)].find(
    (line) => line.length < 90 && ALONE.test(line),
  )
  const full = alone ?? printed.find((name) => !name.includes('.') && name.length > 2)
  if (byDoi) {
    const quote = asPrinted(front.flat, byDoi) ?? printed[0] ?? null
    return { value: byDoi, quote }
  }
  if (full) return { value: full, quote: full }
  const venue = front.around.map((text) => VENUE.exec(text.slice(0, 3000))?.groups?.name?.trim()).find(Boolean)
  const value = venue ?? printed[0]
  if (value) return { value, quote: value }
  const subject = /^(\p{Lu}[\p{L}&. -]{4,80}?)(?:,|\s\d|\s\()/u.exec(metadata?.subject ?? '')?.[1]?.trim()
  if (
    !subject ||
    !/journal|review|science|engineering|engng|eng\b|medic|bulletin|research|letters|communications/i.test(subject)
  )
    return null
  return { value: subject, quote: asPrinted(front.flat, subject) }
}

function nameIn(line: string): string | null {
  for (const pattern of AFTER) {
    const name = pattern.exec(line)?.groups?.name?.replace(/[,:]$/, '').trim()
    if (name && name.length > 2 && name.length < 120 && !NO_NAME.test(name) && !/ (?:et al|and)$/.test(name))
      return name
  }
  return null
}
