import { searchTerms } from './search-terms.ts'

/** A part of a paper for which a general question asks. A general question names no subject: 'What did the study find?' */
export type PaperPart = 'overview' | 'findings' | 'methods' | 'limitations' | 'future' | 'authors'

/**
 * The parts of a paper. `asks` matches general questions about a part; the first match counts. `headings` match the headings of
 * the part, the most likely one first.
 */
const PARTS: readonly { part: PaperPart; asks: RegExp; headings: readonly RegExp[] }[] = [
  {
    part: 'limitations',
    asks: /\b(?:limit\w*|weakness\w*|shortcomings?|caveats?|drawbacks?|threats?)\b/i,
    headings: [/\blimitation|\bthreats? to validity/i],
  },
  {
    part: 'future',
    asks: /\b(?:future|next steps?|plan(?:s|ned)?)\b/i,
    headings: [/\bfuture work|\boutlook/i, /\bconclusion/i, /\bdiscussion/i],
  },
  { part: 'authors', asks: /\bwho (?:are|is|were|wrote|published)\b|\bwritten by\b/i, headings: [] },
  {
    part: 'methods',
    asks: /\b(?:methods?|methodology|approach|design|procedure|(?:conduct|carri|perform)ed|carry)\b/i,
    headings: [/\bmethod|\bdesign\b|\bapproach\b|\bprocedure/i, /\babstract|\bsummary/i],
  },
  {
    part: 'findings',
    asks: /\b(?:find|findings?|found|results?|outcomes?|shows?|shown|discover\w*|learn\w*|conclu\w*|takeaways?|evidence|suggest\w*|propose\w*)\b/i,
    headings: [/\babstract/i, /\bconclusion/i, /\bresults?\b|\bfindings\b/i, /\bsummary/i, /\bdiscussion/i],
  },
  {
    part: 'overview',
    asks: /\b(?:about|summar\w*|overview|gist|topic|purpose|aims?|goals?|objectives?|contributions?|idea|points?|question|message)\b/i,
    headings: [/\babstract/i, /\bsummary|\bhighlights/i, /\bintroduction/i, /\bconclusion/i],
  },
  // Last: 'What did the authors find?' is about findings.
  {
    part: 'authors',
    asks: /^(?:(?:which|name|list) )?(?:all )?(?:the )?authors?\b|\bauthors?\b.*\bnames?\b/i,
    headings: [],
  },
]

/** Search terms that do not name a subject. */
const GENERAL = new Set(
  searchTerms(
    'limit limits limited limitation limitations weakness weaknesses shortcoming caveat drawback threat threats validity future next step steps work wrote written publish published ' +
      'method methods methodology approach design procedure conduct conducted carried carry perform performed find finding findings found result results outcome outcomes show shows ' +
      'shown discover discovered learn learned conclude concluded conclusion conclusions takeaway takeaways evidence summary summarise summarize summarised overview gist topic purpose ' +
      'aim aims goal goals objective objectives contribution contributions idea ideas point points question questions message main key important central major overall brief briefly short ' +
      'explain describe list study studies paper papers survey surveys use used article articles document documents text texts research researchers researcher trial trials experiment experiments project projects investigate investigated deal deals happen happened please two three four five made make key sentence sentences words name names named mention mentions mentioned suggest suggests suggested propose proposes proposed plan planned state states stated report reports reported say says said admit acknowledge',
  ),
)

/**
 * Returns the part of a paper for which a general question (one without a subject) asks: 'findings' for 'What did the study
 * find?'. Returns null for every other question, such as 'What did the study find about sleep?'.
 */
export function partAsked(question: string): PaperPart | null {
  if (searchTerms(question).some((term) => !GENERAL.has(term))) return null
  return PARTS.find(({ asks }) => asks.test(question))?.part ?? null
}

/** The names of the parts in a question that also has a subject: 'limitations'. */
const NAMED: readonly { part: PaperPart; names: RegExp }[] = [
  { part: 'authors', names: /^who (?:wrote|published|are the authors)\b/i },
  { part: 'limitations', names: /\b(?:limitations|weaknesses|shortcomings)\b/i },
  { part: 'findings', names: /\b(?:main|key|principal|overall) (?:findings|results|conclusions)\b/i },
  { part: 'future', names: /\bfuture (?:work|research|studies)\b/i },
  { part: 'methods', names: /\bstudy designs?\b|\bmethods (?:did|do|of) (?:the|these|those)\b/i },
]

/**
 * Returns the part of a paper that a question names, with or without a subject: 'limitations' for 'What are the limitations of
 * the trials of naps?'. Returns null for every other question.
 */
export const partNamed = (question: string): PaperPart | null =>
  partAsked(question) ?? NAMED.find(({ names }) => names.test(question))?.part ?? null

/** Returns the patterns of the headings of a part, the most likely one first. */
export const headingsOf = (part: PaperPart): readonly RegExp[] => PARTS.find((one) => one.part === part)!.headings

/**
 * Returns the heading of the longest section of a passage; '' without one. Returns 'Abstract' for page 0, which is the title
 * and abstract of a paper.
 */
export const headingOfPassage = ({ page_number, section }: { page_number: number; section: string | null }): string =>
  page_number === 0 ? 'Abstract' : (section ?? '')

/**
 * Maximum number of chunks below one heading that are chosen, so that the chunks of an abstract do not displace those of other
 * sections.
 */
const MOST_OF_A_HEADING = 2

/** The chunks of a paper. `place` is the zero-based index of a chunk. */
interface PlacedChunks {
  /** Number of chunks. */
  count: number
  isUnder: (place: number, heading: RegExp) => boolean
  /** Returns whether a chunk below the heading of the abstract is not part of the abstract, such as the keywords. */
  isAfterAbstract?: (place: number) => boolean
}

/**
 * Returns the zero-based indexes of the chunks of a paper that belong to a part of the paper, such as the methods, the most
 * likely chunk first. The keys of the result are the indexes; the value of an index is the pattern of the heading above this
 * chunk. Returns at most two chunks for each heading, usually the first two. For the abstract and the part 'findings', returns
 * the last two of its first three chunks, because an abstract ends with its findings.
 */
export function placesOfPart(part: PaperPart, { count, isUnder, isAfterAbstract }: PlacedChunks): Map<number, RegExp> {
  const found = new Map<number, RegExp>()
  for (const heading of headingsOf(part)) {
    const under = Array.from({ length: count }, (_, place) => place).filter(
      (place) => !found.has(place) && isUnder(place, heading),
    )
    const isAtEnd = part === 'findings' && heading.test('Abstract')
    const chosen = isAtEnd
      ? under
          .slice(0, MOST_OF_A_HEADING + 1)
          .filter((place) => !isAfterAbstract?.(place))
          .slice(-MOST_OF_A_HEADING)
      : under
    for (const place of chosen.slice(0, MOST_OF_A_HEADING)) found.set(place, heading)
  }
  return found
}
