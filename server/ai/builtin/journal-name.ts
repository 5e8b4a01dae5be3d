import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import type { PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import { asPrinted, type FrontMatter } from './first-page.ts'
import { isShortFor, isTitleOrAuthors, journalCandidates, withoutAuthors } from './journal-candidates.ts'
import type { Quoted } from './quoted.ts'

/** Journal names by the beginning of a DOI: for pages that print no name or a short form. */
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
  ['10.48550/arxiv.', 'arXiv'],
]

const WORD = String.raw`(?:\p{Lu}[\p{L}&’'-]*\.?|\d{1,2}(?:st|nd|rd|th)|of|and|the|in|for|on|&|und|für|der|die|des|de|la|le|du|del|di|da|do|e|y|et|van|voor|en)`
const NAME = String.raw`(?<name>\p{Lu}[\p{L}&’'-]*\.?:?(?: ${WORD}:?){0,12}?)`
/** Patterns that match a journal's name (group `name`) before its volume, issue, year or address. */
const AFTER = [
  String.raw`\s+\((?:19|20)\d\d\)\s*,?\s*\d{1,4}\s*[:(,]`,
  String.raw`,?\s+\d{1,4}\s?\(\d{1,4}(?:[–-]\d{1,4})?\)\s*[:,;.]`,
  String.raw`,?\s+(?:[Vv]ol(?:ume|\.)?|VOL\.?|NO\.?|Band|Bd\.|Jg\.|Tome?|N[o°º]\.?|Issue)\s*\d{1,4}`,
  String.raw`,?\s+\d{1,4}\s+\((?:19|20)\d\d\)`,
  String.raw`,\s+(?:19|20)\d\d,\s+\d{1,4}`,
  String.raw`,?\s+\d{1,4},\s+\d{1,6}\s?[–-]\s?\d`,
  String.raw`\s+[·—–]\s+(?:Vol|No|Issue|\d{1,4}\b)`,
  String.raw`\s+\([A-Z][A-Z&-]{1,9} ?[’']?\d{2,4}\)`,
  String.raw`[.,]?\s+(?:19|20)\d\d\s*;\s*\d{1,4}`,
  String.raw`\s+\d{1,4}:\s?e?\d{1,6}\b`,
  String.raw`\s*[|•]\s*(?:www\.|https?:|doi|\(?(?:19|20)\d\d|Vol)`,
  String.raw`,?\s+\((?:19|20)\d\d\)\s+\d{1,4}:`,
].map((after) => new RegExp(String.raw`(?:^(?:\d{1,5}\s+)?|[.!?:|·]\s|^In\s)${NAME}${after}`, 'u'))
/** Matches words in the names of journals, series and proceedings. A row of a running head with such a word can be a name. */
const NAMES_SERIES =
  /\b(?:journals?|annals|archives?|bulletin|transactions|proceedings|proc\.|letters|reviews?|reports?|papers|preprints?|magazine|quarterly|advances|frontiers|studies|research|sciences?|acta|annales|anales|annali|revista|revue|rivista|cahiers|cuadernos|zeitschrift|jahrbuch|archiv|beiträge|tijdschrift|medicine|engineering|conference|symposium|workshop|congress)\b/iu
const VENUE = /\bIn (?<name>[^.,]{0,90}?\b(?:Conference|Symposium|Workshop|Congress)\b[^.,(]{0,90}(?:\([^)]{2,25}\))?)/u
/** Matches a journal's name that is alone on a line, as in a running head. */
const ALONE =
  /^(?:The )?(?:\p{Lu}[\p{L}&-]* ){0,3}(?:Journal|Annals|Archives|Bulletin|Transactions|Proceedings)(?: (?:of|on|for|in) [\p{L}&, -]{3,70})?$/u
/**
 * Minimum scores of candidates (see journalCandidates). A LIKELY candidate is preferred to a row that has a word of
 * NAMES_SERIES, a PROBABLE candidate to an abbreviated name. A POSSIBLE candidate is used only if there is no abbreviated name.
 */
const LIKELY = 4
const PROBABLE = 3
const POSSIBLE = 2
/**
 * Matches the kind of an article. It is not a journal's name, although it can contain words of NAMES_SERIES: 'Research report'.
 */
const ARTICLE_KIND =
  /^(?:\p{L}+ )?(?:research|review|original|technical|scientific|clinical|case|brief|short|rapid|full|special|invited|regular|open)\b(?: \p{L}+)?$|\b(?:articles?|paper|report|study|communications?|letter|commentary|section)$/iu
const NO_NAME =
  /^(?:vol(?:ume)?|issue|page|article|received|accepted|published|copyright|doi|available|table|figure|fig|section|version|in|chapter|supplement|author|open access)\b/i

/**
 * Returns the name of the journal or conference; null if none is found. Tries in order: the name that the DOI determines; a
 * name alone in a line, or before a volume, an issue or an address; a conference or a likely candidate (see
 * journal-candidates.ts); a row that names a series; an abbreviated name or a weaker candidate; a preprint server; the PDF's
 * subject.
 */
export function findJournal(
  front: FrontMatter,
  doi: string | null,
  metadata: PdfMetadata | null,
  { title = null, authors = [] }: { title?: string | null; authors?: readonly string[] } = {},
): Quoted | null {
  const byDoi = doi ? BY_DOI.find(([start]) => doi.toLowerCase().startsWith(start))?.[1] : undefined
  const cites = front.around.filter((text) =>
    /^(?:citation|how to cite|cite this|to cite)|et al\b.{0,20}\((?:19|20)\d\d\)/i.test(text),
  )
  const printed = [...front.runningLines, ...cites, ...front.paragraphs.filter((text) => text.length < 200)]
    .map((line) => nameIn(withoutAuthors(line.slice(0, 1500), authors)))
    .filter((name): name is string => name !== null && !isTitleOrAuthors(name, { title, authors }))
  const lines = [...front.runningLines, ...front.paragraphs.slice(0, 4)].map((line) => line.replace(/\s+/g, ' '))
  const alone = [...lines, ...front.paragraphs].find((line) => line.length < 90 && ALONE.test(line))
  const full = alone ?? printed.find((name) => !name.includes('.') && name.length > 2)
  if (byDoi) {
    const quote = asPrinted(front.flat, byDoi) ?? printed[0] ?? null
    return { value: byDoi, quote }
  }
  if (full) return { value: full, quote: full }
  const candidates = journalCandidates(front, { title, authors }).filter(
    ({ name, score }) => (score >= LIKELY || !ARTICLE_KIND.test(name)) && !NO_NAME.test(name),
  )
  const candidate = (least: number) => candidates.find(({ score }) => score >= least)?.name
  const venue = front.around.map((text) => VENUE.exec(text.slice(0, 3000))?.groups?.name?.trim()).find(Boolean)
  const likely = (venue && isCited(venue, front, title) ? venue : null) ?? candidate(LIKELY)
  if (likely) return { value: likely, quote: likely }
  const series = lines.map((line) => seriesIn(line, title)).find((name) => name !== null) ?? labelled(front)
  if (series) return { value: series, quote: series }
  const only = candidates.length === 1 && (doi || PUBLISHED.test(front.flat)) ? candidates[0]!.name : undefined
  const short = printed[0]
  const long = short && candidates.find(({ name }) => isShortFor(short, name))?.name
  const value = venue ?? candidate(PROBABLE) ?? long ?? short ?? candidate(POSSIBLE) ?? only ?? preprintServer(front)
  if (value) return { value, quote: value }
  const subject = /^(\p{Lu}[\p{L}&. -]{4,80}?)(?:,|\s\d|\s\()/u.exec(metadata?.subject ?? '')?.[1]?.trim()
  if (
    !subject ||
    !/journal|review|science|engineering|engng|eng\b|medic|bulletin|research|letters|communications/i.test(subject)
  )
    return null
  return { value: subject, quote: asPrinted(front.flat, subject) }
}

const INSTITUTION =
  /\b(?:facult\p{L}*|fakultät|departe?ment\p{L}*|school of|hospital)(?!\p{L})|^(?:universit\p{L}*|institut\p{L}*|college|division|cent(?:re|er))\b/iu
/** Words on the first page of a published article. */
const PUBLISHED = /\b(?:received|accepted|published|issn|eingegangen|reçu|recibido)\b/i

/** Returns whether a citation of the paper itself names the conference. */
const isCited = (venue: string, front: FrontMatter, title: string | null): boolean =>
  title !== null && front.around.some((text) => text.includes(title) && text.includes(`In ${venue}`))

/** Returns the name of a preprint server: 'arXiv' of 'arXiv:2104.01234v2', 'bioRxiv' of 'bioRxiv preprint doi: …'. */
const preprintServer = (front: FrontMatter): string | undefined =>
  /\b(arXiv)(?=:\d{4}\.\d{4,5})|\b(\p{L}{2,9}Rxiv)(?= preprint)/u.exec(front.flat)?.[0]

function nameIn(line: string): string | null {
  for (const pattern of AFTER) {
    const name = pattern.exec(line)?.groups?.name?.replace(/[,:]$/, '').trim()
    if (name && name.length > 2 && name.length < 120 && !NO_NAME.test(name) && !/ (?:et al|and)$/.test(name))
      return name
  }
  return null
}

/**
 * Returns the name in a row that has only the name of a journal or series, and possibly a number or a place and date after it.
 */
function seriesIn(line: string, title: string | null): string | null {
  const name = line
    .replace(/,?\s+\d{1,3}\.\s?(?:Jg|Jahrgang|Band|Bd)\b.*$/u, '')
    .replace(/[,.]?\s+(?:no|nr|vol|volume|issue|band|heft|n[o°º])\.?\s*\d.*$/iu, '')
    .replace(/,\s.*\b(?:19|20)\d\d\b.*$/u, '')
    .replace(/\s+\(?(?:19|20)\d\d\)?$/u, '')
    .trim()
  const words = name.split(' ')
  const isTitleCase = words.every(
    (word) => /^[\p{Lu}\d(]/u.test(word) || word.length < 5 || /^(?:für|zur|und)$/.test(word),
  )
  const isName =
    words.length >= 2 &&
    words.length <= 14 &&
    name.length < 120 &&
    /^(?:\p{Lu}|(?:19|20)\d\d \p{Lu})/u.test(name) &&
    isTitleCase &&
    NAMES_SERIES.test(name) &&
    !ARTICLE_KIND.test(name) &&
    !NO_NAME.test(name) &&
    !/[·:?!|@©]|https?:/.test(name) &&
    !INSTITUTION.test(name)
  const isTitle = title !== null && normalizeWithMap(title).text.includes(normalizeWithMap(name).text)
  return isName && !isTitle ? name : null
}

const LABEL =
  /(?:^|[.;]\s)(?:journal(?: title| name)?|published in|appeared in|to appear in|source|erschienen in|publicado en|publié dans|zeitschrift)\s*:\s*(?<name>\p{Lu}[^\d.;:|()]{3,110}?)(?=[,.;:|()]|\s+(?:vol|\d)|$)/iu

/** Returns the name after a label such as 'Published in:', as on the cover sheet of a repository. */
const labelled = (front: FrontMatter): string | null =>
  front.paragraphs.map((text) => LABEL.exec(text.slice(0, 1000))?.groups?.name?.trim()).find(Boolean) ?? null
