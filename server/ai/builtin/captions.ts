import { splitSentences, type Span } from '#shared/passages/sentences.ts'

/** A sentence of a text in UTF-16 offsets, and whether it is part of the caption of a figure or a table. */
export interface CaptionSpan extends Span {
  isCaption: boolean
}

const KIND =
  '(?:supplementary |supplemental |supporting |extended data |online |appendix )?(?:fig(?:ure)?s?|tables?|tabs?|box|scheme|chart|plate|exhibit)'
const NUMBER = String.raw`(?:[A-Z]{0,2}[.-]?\d{1,3}(?:[.-]\d{1,2})?[A-Za-z]?|[IVX]{1,5}|[A-Z])`
/** Matches the label of a caption: 'Figure 2', 'TABLE IV', 'Fig. S1'. */
const LABEL = new RegExp(String.raw`^${KIND}\b\.?\s?(?:${NUMBER})\b\s*(?:\([\w ,–-]{1,12}\)\s*)?`, 'i')
/** Matches the start of a caption's title after its label. A lower-case word does not match, as in 'Figure 2 shows'. */
const TITLE = /^(?:[.:|—–-]|(?:\([\p{Ll}\p{Lu}]\)\s*)?[\p{Lu}\d“"‘'])/u
/** Matches the start of a sentence that explains the symbols and numbers of a figure or a table. */
const LEGEND = new RegExp(
  [
    String.raw`^\(?[A-Za-z](?:[–,-] ?[A-Za-z])*[).,:]\s`,
    String.raw`^[*†‡§¶#]`,
    String.raw`^(?:error|whisker|scale) (?:bars?|lines?)\b`,
    String.raw`^(?:the )?(?:(?:dashed|dotted|solid|thick|thin|horizontal|vertical|diagonal|shaded|filled|open|closed|gr[ae]y|black|white|red|blue|green|orange|yellow|colou?red|left|right|upper|lower|top|bottom|middle|inner|outer|x|y)(?:[ -]| and | or )?)+(?:lines?|bars?|boxe?s?|areas?|regions?|dots?|circles?|points?|squares?|symbols?|panels?|rows?|columns?|ax[ei]s|curves?|arrows?|bands?)\b`,
    String.raw`^(?:the )?(?:bars?|lines?|dots?|circles?|points?|boxes|symbols?|arrows?|asterisks?|stars?|colou?rs?|shading|panels?|insets?|whiskers?|columns?|rows?|cells|numbers|brackets|letters|axes) (?:in\b.{0,30} )?(?:shows?|is|are|marks?|denotes?|represents?|indicates?|gives?|depicts?|refers?|with|above|below|span|extend|stand)\b`,
    String.raw`^each (?:dot|point|bar|line|circle|symbol|row|column|cell|box|curve|panel)\b`,
    String.raw`^(?:values|data|numbers|results|entries|figures|percentages|estimates|means)(?: (?:in|for) .{1,40})? (?:are|is|were|represent|show|in parentheses)\b.{0,30}(?:means?|medians?|n\b|numbers?|percent|expressed|presented|given|shown|standard|%|±|s\.?[de]\b|in parentheses|in brackets|ranges?|rounded)`,
    String.raw`^(?:note|notes|source|sources|legend|key|abbreviations?)\b\s*[:.]`,
    String.raw`^(?:adapted|reproduced|reprinted|modified|redrawn|taken) (?:from|with|after|by)\b`,
    String.raw`^(?:(?:photo|photograph|image|drawing|map)s?(?: courtesy of| by\b|:)|courtesy of)`,
    String.raw`^(?:see|for details|for abbreviations|abbreviations as)\b`,
  ].join('|'),
  'iu',
)
/** Matches an explanation of an abbreviation or a number in a caption: 'CI, confidence interval.', 'n = 40.' */
const ABBREVIATION = /^(?:[npr]\s*[=<>]|(?:95% )?\p{Lu}{1,6}\b\s*[=:,;] )/u
/**
 * Matches the place where running text begins after a title without a full stop: before 'We' in '… by group We then asked …'.
 */
const UNMARKED =
  /(?<=[\p{Ll}\d)%] )(?=(?:(?:We|They|It|There|These|This) \p{Ll}|The \p{Ll}+ \p{Ll}))|(?<=[.:] )(?=(?:We|They) \p{Ll})/u
/** Matches the start of running text after a sentence that ends with a label: 'They fell.' in '… see Table 3. They fell.' */
const CONTINUED = /^(?:We|They) \p{Ll}/u

const isLegend = (sentence: string) => LEGEND.test(sentence) || ABBREVIATION.test(sentence)
const isLabelOnly = (text: string) =>
  /^[\s.:|—–-]*$/u.test(text.slice(LABEL.exec(text)?.[0].length ?? 0)) && LABEL.test(text)

/** Returns whether a text begins as the caption of a figure or a table, and not as a sentence about it ('Table 2 shows'). */
function beginsAsCaption(text: string): boolean {
  const label = LABEL.exec(text)?.[0]
  return label !== undefined && (isLabelOnly(text) || TITLE.test(text.slice(label.length)))
}

/**
 * Returns the sentences of a text, and which of them belong to a caption. A caption consists of its label, its title and the
 * following sentences of the paragraph that explain symbols and numbers. It ends where running text begins, also if the title
 * has no full stop.
 */
export function splitWithCaptions(text: string): CaptionSpan[] {
  const spans: CaptionSpan[] = []
  let before: 'text' | 'label' | 'caption' = 'text'
  let end = 0
  for (const span of splitSentences(text)) {
    const sentence = text.slice(span.start, span.end)
    const breaks = text.slice(end, span.start).split('\n').length - 1
    end = span.end
    if (breaks > 1 || (breaks > 0 && before === 'caption')) before = 'text'
    const isTitle: boolean = (before === 'label' && !CONTINUED.test(sentence)) || beginsAsCaption(sentence)
    if (isTitle) spans.push(...cutTitle(span, sentence))
    else spans.push({ ...span, isCaption: before === 'caption' && isLegend(sentence) })
    before = isTitle && isLabelOnly(sentence) ? 'label' : spans.at(-1)!.isCaption ? 'caption' : 'text'
  }
  return spans
}

function cutTitle({ start, end }: Span, sentence: string): CaptionSpan[] {
  const at = UNMARKED.exec(sentence)?.index
  if (at === undefined) return [{ start, end, isCaption: true }]
  const title = sentence.slice(0, at).trimEnd().length
  return [
    { start, end: start + title, isCaption: true },
    { start: start + at, end, isCaption: false },
  ]
}
