import { headingsOf, type PaperPart } from '#server/language/question-part.ts'
import { sectionsOf } from '#server/language/section-headings.ts'
import type { Sentence } from './quotable-sentences.ts'
import { ABSTRACT_LABEL } from './sections.ts'
import {
  announcesLimitations,
  hasFigure,
  isAnnouncement,
  isFinding,
  isGuide,
  isMethod,
  isObjective,
  isOfOthers,
} from './sentence-cues.ts'

/**
 * A sentence states a limitation if an announcement such as 'The trial has limitations.' is at most this many characters before
 * it.
 */
const ANNOUNCED = 600
/** Matches words that state a limitation, also outside a section 'Limitations'. */
const LIMITATION =
  /\blimitations?\b|\b(?:could|can|may|might) ?not\b|\bgenerali[sz]|\bbias(?:ed)?\b|\bonly (?:one|two|a few)\b|\bself-reported\b|\b(?:was|were) not (?:blinded|measured|recorded|randomi[sz]ed|analy[sz]ed)\b|\bdid not (?:measure|record|ask|control)\b/i

/** Words of the labels of a structured abstract, such as 'Methods:' or 'Methodology and principal findings:', by part. */
const LABELS = {
  findings: /findings?|results?/,
  conclusion: /conclusions?|interpretation|significance/,
  methods: /methods?|methodology|design|setting|participants/,
  overview: /objectives?|aims?|purpose/,
  other: /background|context|introduction|limitations?/,
} as const
type Label = keyof typeof LABELS
const LABEL_WORD = `(?:${Object.values(LABELS)
  .map(({ source }) => source)
  .join('|')})`
const LABEL = new RegExp(
  String.raw`^(?:(?:principal|main|key|study) )?${LABEL_WORD}(?:(?:,| and| &) (?:(?:principal|main|key) )?${LABEL_WORD}){0,2}\s*[:.–—]\s+`,
  'iu',
)
/** Matches the words of a conclusion: 'We conclude that …', 'Our findings suggest …'. */
const CONCLUSION =
  /^(?:in (?:conclusion|summary)|overall|taken together)\b|\bwe conclude\b|^(?:these|our|the) (?:results|findings) (?:suggest|show|indicate|demonstrate)/i
/** Matches words for the design of a study, its participants or its data. */
const DESIGN =
  /\b(?:randomi[sz]ed|cohort|cross-sectional|case-control|longitudinal|prospective|retrospective|observational|surveyed|survey of|interview(?:s|ed)?|questionnaires?|(?:field |controlled )?(?:experiment|trial|study) (?:in|with|of|at|among|on|was)|enrol(?:l?ed|ment)|recruited|invited|simulat(?:ed|ions?)|we (?:followed|studied|measured|compared|tested|surveyed|collected|sampled|recorded))\b/i
/** Matches words for plans, needs and open questions. */
const FUTURE =
  /\b(?:future (?:\p{L}+ )?(?:work|research|stud(?:y|ies)|trials?|versions?|directions?|experiments?|projects?)|in (?:the )?future|next steps?|remains? (?:to be|open|unknown|unclear)|(?:is|are) planned|we (?:plan|intend|will)|(?:further|longer|larger|more|additional|new) (?:\p{L}+ )?(?:stud(?:y|ies)|trials?|research|work|data|experiments?|tests?|measurements?)|(?:needs?|have|has) to be (?:tested|studied|shown|measured|examined|repeated)|should (?:be (?:tested|studied|measured|examined|repeated|extended)|test|study|examine|measure|compare)|open questions?)\b/iu

/** The fit (see fitOf) of a sentence that reports one finding without summarizing the study. */
const SINGLE_FINDING = 0.9
/** The fits (see fitOf) of sentences that belong to a part less certainly, such as a finding for an overview. */
const WEAK = 0.7
const WEAKEST = 0.4
/** The fit (see fitOf) of a sentence with words of a limitation outside a section 'Limitations'. */
const LIMITATION_WORDS = 0.5

/**
 * Returns the parts that the label at the start of a sentence names ([] without a label), and the sentence without the label.
 */
function splitLabel(text: string): { labels: Label[]; rest: string } {
  const label = (LABEL.exec(text) ?? ABSTRACT_LABEL.exec(text))?.[0] ?? ''
  const labels = (Object.keys(LABELS) as Label[]).filter((one) => LABELS[one].test(label.toLowerCase()))
  return { labels, rest: text.slice(label.length) }
}

/**
 * Returns how well a sentence fits the part of a paper that a question asks for, 0..1; always 0 for the part 'authors'.
 * `isUnderHeading` is true if the passage of the sentence is below a heading of the part. It is used only for the part
 * 'limitations': a sentence under such a heading has the fit 1 if it has words of a limitation, or is before the first heading
 * in its passage.
 */
export function fitOf(
  part: PaperPart,
  sentence: Pick<Sentence, 'text' | 'start' | 'passage'>,
  { isUnderHeading }: { isUnderHeading: boolean },
): number {
  const { text } = sentence
  if (part === 'authors' || isOfOthers(text) || (part !== 'future' && isGuide(text))) return 0
  if (isAnnouncement(text)) return 0
  const { labels, rest } = splitLabel(text)
  const isLabelled = (label: Label) => labels.includes(label)
  switch (part) {
    case 'findings':
      if (isLabelled('conclusion') || CONCLUSION.test(rest)) return 1
      if (labels.length > 0 && !isLabelled('findings')) return 0
      return isFinding(rest) && !(isMethod(rest) && !hasFigure(rest)) ? SINGLE_FINDING : 0
    case 'methods':
      if (isLabelled('methods')) return 1
      if (labels.length > 0) return 0
      return DESIGN.test(rest) ? (isMethod(rest) ? 1 : WEAK) : isMethod(rest) ? WEAKEST : 0
    case 'overview':
      if (isLabelled('overview') || (labels.length === 0 && isObjective(rest))) return 1
      return isLabelled('conclusion') || CONCLUSION.test(rest) ? WEAK : isFinding(rest) ? WEAKEST : 0
    case 'future':
      return FUTURE.test(rest) ? 1 : 0
    case 'limitations':
      return fitOfLimitation(sentence, isUnderHeading)
  }
}

/** Returns how well a sentence states a limitation: by its label, the heading or announcement above it, or its words. */
function fitOfLimitation(
  { text, start, passage }: Pick<Sentence, 'text' | 'start' | 'passage'>,
  isUnderHeading: boolean,
): number {
  const headings = headingsOf('limitations')
  // 'Limitations: One hospital was studied.'
  if (headings.some((heading) => heading.test(/^\p{L}[\p{L} ]{0,40}(?=:)/u.exec(text)?.[0] ?? ''))) return 1
  const place = start - passage.page_offset
  const sections = sectionsOf([passage.content])[0] ?? []
  const isHere = (section: { start: number; end: number } | undefined) =>
    section !== undefined && place >= section.start && place < section.end
  const named = sections.find(({ heading }) => headings.some((one) => one.test(heading)))
  if (isHere(named) || isAnnounced(text, place, passage.content)) return 1
  if (LIMITATION.test(text)) return isUnderHeading ? 1 : LIMITATION_WORDS
  return !named && isHere(sections[0]) && isUnderHeading ? 1 : 0
}

/**
 * Returns whether a sentence follows an announcement such as 'The trial has limitations.' and does not name a strength
 * ('Despite …').
 */
function isAnnounced(text: string, place: number, content: string): boolean {
  const before = content.slice(Math.max(0, place - ANNOUNCED), place)
  return (
    !/^(?:despite|nevertheless|strengths?)\b/i.test(text) &&
    announcesLimitations(before.slice(before.lastIndexOf('\n\n') + 1))
  )
}
