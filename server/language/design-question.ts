import { searchTerms } from './search-terms.ts'
import { STUDY_DESIGNS, type StudyDesign } from './study-designs.ts'

/** A question that asks which papers have a study design. */
export interface DesignQuestion {
  /** The study designs that the question names. A paper with any of them is an answer. */
  designs: readonly StudyDesign[]
  /** A pattern that the sentence of a paper that names the design must also match; null if there is no further condition. */
  words: RegExp | null
  /** Typical words of a paper with this design, for the search. */
  typical: string
  /** The words of the question for a subject, such as 'of naps in nurses'; '' without a subject. */
  subject: string
}

type Asked = Omit<DesignQuestion, 'designs' | 'subject'> & { asks: string; names: readonly RegExp[] }

const STUDY = String.raw`(?:stud(?:y|ies)|trials?|papers?|articles?|works?|research|experiments?|designs?|reports?|analys[ei]s)`
const RANDOMISED = String.raw`(?<!non-?)(?<!non )randomi[sz]ed?`
/** The expressions for study designs in questions. The first one that fits counts, so special designs precede general ones. */
const NAMED: readonly Asked[] = [
  {
    asks: String.raw`meta-?analys[ei]s|meta-?analytic(?:al)? ${STUDY}`,
    names: [/systematic/i],
    words: /meta-?analy/i,
    typical: 'meta-analysis of studies, pooled estimates',
  },
  {
    asks: String.raw`systematic(?:ally)? (?:literature )?reviews?(?: (?:and|or) meta-?analys[ei]s)?`,
    names: [/systematic/i],
    words: null,
    typical: 'systematic review: we searched databases and included studies',
  },
  {
    asks: String.raw`(?:narrative )?reviews?(?: (?:papers?|articles?))?`,
    names: [/systematic/i, /narrative/i],
    words: null,
    typical: 'review of the literature',
  },
  {
    asks: String.raw`non-?(?: )?randomi[sz]ed(?: controlled)?(?: ${STUDY})?|quasi-?experiment(?:s|al(?: ${STUDY})?)?`,
    names: [/^controlled experiment/i],
    words: /non-?\s?randomi|quasi/i,
    typical: 'non-randomised trial, quasi-experimental study',
  },
  ...[
    [String.raw`cluster-?(?: )?${RANDOMISED}`, /cluster/i],
    [String.raw`cross-?over`, /cross-?over/i],
    [String.raw`placebo-?(?: )?controlled`, /placebo-?\s?controlled/i],
    [String.raw`(?:double|triple)-?(?: )?blind(?:ed)?`, /blind/i],
  ].map(([asks, words]) => ({
    asks: String.raw`${asks as string}(?:,? (?:${RANDOMISED}|controlled|clinical))*(?: ${STUDY})?`,
    names: [/^randomi/i],
    words: words as RegExp,
    typical: 'randomised controlled trial: participants were randomly assigned',
  })),
  {
    asks: String.raw`RCTs?|(?:${RANDOMISED}|random)(?:[- ]controlled)?(?: clinical)?(?: ${STUDY})?|controlled clinical trials?|clinical trials?|randomly (?:assigned|allocated)`,
    names: [/^randomi/i],
    words: null,
    typical: 'randomised controlled trial: participants were randomly assigned',
  },
  {
    asks: String.raw`controlled experiments?`,
    names: [/^controlled experiment/i, /^randomi/i],
    words: /experiment/i,
    typical: 'controlled experiment',
  },
  {
    asks: String.raw`(?:prospective |retrospective |birth )?cohorts?(?: ${STUDY})?`,
    names: [/^cohort/i],
    words: /cohort|follow/i,
    typical: 'cohort study: participants were followed for years',
  },
  {
    asks: String.raw`longitudinal(?: ${STUDY})?`,
    names: [/^cohort/i],
    words: null,
    typical: 'longitudinal study: participants were followed for years',
  },
  {
    asks: String.raw`prospective(?: ${STUDY})?`,
    names: [/^cohort/i, /^randomi/i, /^case series/i],
    words: /prospective/i,
    typical: 'prospective study',
  },
  {
    asks: String.raw`retrospective(?: ${STUDY})?`,
    names: [/^cohort/i, /^case/i],
    words: /retrospective/i,
    typical: 'retrospective study of medical records',
  },
  {
    asks: String.raw`observational(?: ${STUDY})?`,
    names: [/^cohort/i, /^case-control/i, /^cross-sectional/i, /^case series/i],
    words: null,
    typical: 'observational study: cohort, case-control or cross-sectional study',
  },
  {
    asks: String.raw`case-?(?: )?control(?:led)?(?: ${STUDY})?`,
    names: [/^case-control/i],
    words: null,
    typical: 'case-control study: cases were compared with controls',
  },
  {
    asks: String.raw`cross-?(?: )?sectional(?: (?:${STUDY}|surveys?))?|(?:questionnaire )?surveys?|survey ${STUDY}`,
    names: [/^cross-sectional/i],
    words: null,
    typical: 'cross-sectional survey',
  },
  {
    asks: String.raw`case series|chart reviews?`,
    names: [/^case series/i],
    words: null,
    typical: 'case series, review of medical records',
  },
  {
    asks: String.raw`case reports?`,
    names: [/^case study/i],
    words: /^(?!.*\bcase stud)/i,
    typical: 'case report: we report the case of a patient who presented with',
  },
  { asks: String.raw`case stud(?:y|ies)`, names: [/^case study/i], words: /case stud/i, typical: 'case study' },
  {
    asks: String.raw`(?:animal|laboratory|in vitro|mouse)(?: ${STUDY})`,
    names: [/^laboratory/i],
    words: null,
    typical: 'in vitro, in mice, animal model',
  },
  {
    asks: String.raw`qualitative(?: (?:${STUDY}|interviews?|methods?|data))?|interview ${STUDY}|interviews|focus groups?(?: ${STUDY})?`,
    names: [/^qualitative/i],
    words: null,
    typical: 'qualitative study: interviews were analysed thematically',
  },
  {
    asks: String.raw`mixed[- ]methods?(?: ${STUDY})?`,
    names: [/^mixed/i],
    words: null,
    typical: 'mixed-methods study: survey and interviews',
  },
]
const ASKED = NAMED.map(({ asks, ...asked }) => ({
  ...asked,
  asks: new RegExp(String.raw`(?<![\p{L}-])(?:${asks})(?![\p{L}-])`, 'iu'),
}))

const PAPERS = String.raw`(?:stud(?:y|ies)|trials?|papers?|articles?|works?|publications?|documents?|authors?|ones?|reviews?)`
const THESE = String.raw`(?:of )?(?:all )?(?:the|these|those|my|our|your|them|they|this)`
/** An optional subject: a preposition and up to eight words. */
const SUBJECT = String.raw`(?:(?:of|on|about|in|with|for|among|from|into|that (?:deal|deals) with) (?:(?!\b(?:is|are|was|were|used?|uses|have|has|report(?:s|ed)?)\b)[\p{L}\p{N}'’-]+ ){1,8}?)?`
const LINK = String.raw`(?:(?:is|are|was|were|used?|uses|using|have|has|had|report(?:s|ed)?|describe[sd]?|present(?:s|ed)?|conduct(?:ed)?|performed|contains?|include[sd]?|based|designed|on|as|a|an|any|the|some|of|from|there|participants|patients|people|subjects|to be) )*`
/** Matches the beginning of a question for papers, which is before the name of a design: 'Which of the papers are …'. */
const BEFORE = new RegExp(
  String.raw`^(?:(?:so|and|but|please|can you|could you)[, ]+)*(?:` +
    [
      String.raw`(?:in )?(?:which|what|how many)(?: ${THESE})?(?: (?:\p{L}+ )?${PAPERS})? (?<about>${SUBJECT})${LINK}`,
      String.raw`(?:are|is|were|was) there (?:also )?(?:any |some |an? |other |more )*`,
      String.raw`(?:are|is|were|was) (?:any|some|all|one|either|both|none)?(?: ?${THESE})?(?: ${PAPERS})? (?<about2>${SUBJECT})${LINK}`,
      String.raw`(?:do|does|did) (?:any|some|one|all)?(?: ?${THESE})?(?: ?(?:${PAPERS}|project|library|collection))? (?<about3>${SUBJECT})${LINK}`,
      String.raw`(?:do|did|have) (?:we|i|you) (?:have|got|read)? ?(?:any |some |an? )*`,
      String.raw`(?:list|show|name|find|give|tell)(?: me| us)?(?: all)?(?: (?:the|any))?(?: ${PAPERS} (?:that (?:are|were)|with))? ?(?:an? )?`,
    ].join('|') +
    String.raw`)$`,
  'iu',
)
/**
 * Matches the rest of a question for papers, which is after the name of a design. Does not match other verbs, because they ask
 * for something that the papers report.
 */
const AFTER = new RegExp(
  String.raw`^(?: (?:${STUDY}|designs?|methods?|ones?))?(?: (?:are|is|were|was) there| (?:do|did) (?:we|i|you) have| have been (?:done|published|made)| (?:is|are|were) (?:included|here))?(?: in (?:this|the|my|our) (?:project|library|collection|list|scope))?` +
    String.raw`(?<about> (?:(?:that|which) )?(?:(?:were|was|are|is) )?(?:done |conducted |performed |carried out |published )?(?:of|on|about|in|with|for|among|at|from|to|tested|tests|test|studied|study|examined?|investigated?|evaluated?|assessed|compared?|looked at|addressed|concern(?:ed|ing)?|cover(?:ed|ing)?|participants|patients|people|subjects)\b.*)?$`,
  'iu',
)
/** Matches words after a design that ask for a result instead of papers: 'randomised trials with an effect'. */
const RESULT =
  /\b(?:find|found|show(?:ed|s)?|effects?|results?|findings?|conclu\w+|limitations?|improve[sd]?|reduce[sd]?|significant\w*|better|worse|how|why|when)\b/i
/** Matches questions about a design or a single study: 'What is a cohort study?', 'What was the survey about?' */
const DEFINITION = /^what (?:is|are|was|were|does) (?:(?:an?|the|this|that)\b|(?:\p{L}+ )?\p{L}+$)/iu
/**
 * Matches a question that counts other things than papers: 'How many interviews were held?', but not 'How many reviews are
 * there?'
 */
const COUNTS_OTHERS = new RegExp(
  String.raw`^how many (?!(?:of )?(?:the |these |those |my |our )?${PAPERS}\b)(?!.*\b(?:are there|do we have|are included)$)`,
  'i',
)
/** Maximum length of a question for papers with a design, in characters. A longer text asks for more than that. */
const LONGEST = 300
/** Search terms that are not a subject. */
const NO_SUBJECT = new Set(
  searchTerms(
    'project library collection list scope study studies trial trials paper papers article articles design designs method methods participants patients people subjects done conducted performed published tested studied examined investigated evaluated assessed compared looked addressed concerned covered these deal deals exist included',
  ),
)

/**
 * Returns the study designs and the subject of a question that asks which papers have these designs: 'Which studies of naps
 * were randomised trials?', 'Are there any case reports?' Returns null for every other question, such as 'What did the
 * randomised trials find?', and for languages other than English.
 */
export function designAsked(question: string): DesignQuestion | null {
  const text = question
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[?!.\s]+$/, '')
  if (text.length > LONGEST || DEFINITION.test(text) || COUNTS_OTHERS.test(text)) return null
  for (const { asks, names, ...asked } of ASKED) {
    const found = asks.exec(text)
    if (!found) continue
    const before = BEFORE.exec(text.slice(0, found.index))
    const after = AFTER.exec(text.slice(found.index + found[0].length))
    if (!before || !after || RESULT.test(after.groups?.['about'] ?? '')) continue
    const { about, about2, about3 } = before.groups ?? {}
    const subject = [about ?? about2 ?? about3 ?? '', after.groups?.['about'] ?? ''].join(' ').trim()
    const isSubject = searchTerms(subject).some((term) => !NO_SUBJECT.has(term))
    return {
      ...asked,
      designs: STUDY_DESIGNS.filter(({ name }) => names.some((one) => one.test(name))),
      subject: isSubject ? subject : '',
    }
  }
  return null
}
