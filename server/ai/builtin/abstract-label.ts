/** Labels of structured abstracts that are rarely the beginning of a name, unlike 'Design' in 'DesignBuilder'. */
const CLEAR = 'abstract|background|objectives?|methods?|results|conclusions?|findings'
/** The labels of structured abstracts. If two labels begin with the same words, the longer one comes first. */
const LABELS = [
  'design, setting,? and participants|main outcomes? and measures?|main outcome measures?|main outcomes?|main results|principal findings',
  'methods and (?:results|findings)|(?:materials?|patients|participants|subjects) and methods|conclusions? and relevance',
  '(?:background|introduction) (?:and|&) (?:aims?|objectives?|purpose)|study design',
  String.raw`(?:background|methods?|methodology|conclusions?) ?\/ ?(?:aims?|objectives?|(?:principal )?findings|results|significance)`,
  CLEAR,
  'summary|context|introduction|rationale|importance|aims?|goals?|purpose|methodology|design|settings?|participants|patients',
  'interventions?|measurements|interpretation|discussion|significance|implications|limitations',
].join('|')
/**
 * Matches a label and the separator after it. The separator can be empty, because the text layer of a PDF may have no space
 * between blocks.
 */
const LABEL = new RegExp(String.raw`^(${LABELS})(\s*[:.—–]\s*|\s+-\s+|\s*)`, 'i')
const IS_CLEAR = new RegExp(`^(?:${CLEAR})$`, 'i')
/** Matches the start of a sentence: a capital letter or a digit, with or without a quotation mark or bracket before it. */
const START = /^["“'‘(]?[\p{Lu}\d]/u
/** Matches the first words of a sentence if they cannot be part of a name, such as 'We' or 'In the'. */
const OPENER =
  /^(?:(?:We|Our|This|These|It|They|There|Whether)\s|(?:The|An|Of|In|On|At|To|For|From|Among|Between|Both|After|Before|During|Although|While|With|Using|All|Most|Many|Some|No|Participants|Patients|Adults|Children|Women|Men)[\s,]+(?:[\p{Ll}\d]))/u
/** Matches an 'A' that is an article, as in 'A total of 40', and not a name, as in 'A and B'. */
const ARTICLE = /^A (?!(?:and|or|to|was|were|is|are|had|has)\b)\p{Ll}/u
const WORD = /^\p{Lu}\p{Ll}+[\s,’-]/u
const CAPITALIZED = /^(?:\p{Lu}\p{Ll}|A )/u
/** If the text after the label has fewer characters, it is not a sentence, and the label is kept. */
const SHORTEST = 16
/** A text with more characters is not a sentence and is returned unchanged. */
const LONGEST = 1000

/**
 * Returns a sentence without the labels of a structured abstract before it: 'We slept' for 'Results: We slept', 'RESULTS We
 * slept' and 'ResultsWe slept'. Keeps a label that is a word of the sentence ('Results were clear') or may be part of a name
 * ('Design Thinking'). The given text always ends with the returned text.
 */
export function withoutLabel(sentence: string): string {
  const rest = sentence.length > LONGEST ? null : afterLabel(sentence)
  return rest === null || rest.length < SHORTEST ? sentence : withoutLabel(rest)
}

function afterLabel(sentence: string): string | null {
  const [found, label, between] = LABEL.exec(sentence) ?? []
  if (found === undefined || label === undefined || between === undefined) return null
  const rest = sentence.slice(found.length)
  const isUpper = label === label.toUpperCase()
  if (!isUpper && !/^\p{Lu}/u.test(label)) return null
  if (between.trim() !== '') return START.test(rest) ? rest : null
  if (isUpper) return CAPITALIZED.test(rest) ? rest : null
  const isClear = IS_CLEAR.test(label)
  const isStart =
    OPENER.test(rest) ||
    (isClear && ARTICLE.test(rest)) ||
    (isClear && between === '' && WORD.test(rest)) ||
    afterLabel(rest) !== null
  return isStart ? rest : null
}
