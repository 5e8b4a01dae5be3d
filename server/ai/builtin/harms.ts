import { hasFigure, isMethod } from './sentence-cues.ts'

/** Matches words for harms of a treatment. Does not match the verb, as in 'Loneliness harms the health of …'. */
const HARM =
  /\b(?:adverse(?:ly)?|side[- ]?effects?|harm(?:s|ed|ful|less)?(?! (?:the|their|our|its|an?|health|people|children|patients|adults)\b)|(?:un)?safe(?:ty|ly)?|complications?|toxic\w*|(?:well|poorly|not) tolerated|tolera(?:ble|bility)|dangerous|injur(?:y|ies|ed))\b/i
const SYMPTOM =
  'bleed(?:ing|s)?|ha?emorrhages?|nausea|vomit\\w*|dizz\\w+|rash(?:es)?|itch\\w*|headaches?|faint(?:ed|ing)?|sprain\\w*|swelling|redness|bruis\\w+|burns?|blisters?|cramps?|diarrh?oea|constipation|drowsiness|irritation|hypotension|hypoglyca?emia|seizures?|soreness|numbness'
/**
 * Events that can be harms, but also outcomes or diagnoses ('214 patients had an infection'). They count as harms only before a
 * verb such as 'occurred' or 'were reported'.
 */
const EVENT = 'fractures?|falls?|infections?|deaths?|weakness|thrombos[ei]s|strokes?|fatigue|insomnia'
/** Matches a report of a symptom or an event: 'Eleven runners reported itching.', 'Nausea occurred in three patients.' */
const OCCURRED = new RegExp(
  String.raw`\b(?:reported|developed|experienced|suffered|complained|noticed|had|felt)\b[^.;]{0,60}\b(?:${SYMPTOM})\b|\b(?:${SYMPTOM}|${EVENT})\b[^.;]{0,60}\b(?:occurred|(?:was|were) (?:\w+ )?(?:reported|observed|seen|noted|found))\b|\b(?:fainted|sprained|vomited|bled)\b`,
  'iu',
)
/** Matches a withdrawal from the study with its cause: 'Two patients withdrew because of weakness.' */
const WITHDREW =
  /\b(?:withdrew|withdrawn|withdrawals?|dropped out|drop-?outs?|stopped|discontinu\w+|left the (?:study|trial))\b[^.;]{0,60}\b(?:because of|due to|owing to|as a result of|after (?:an?|the))\b/i
/** Matches words for a change to the worse: 'made it worse', 'felt much worse', 'worsened'. */
const WORSE = /\b(?:made|got|became|felt|feel) (?:\w+ ){0,2}?worse\b|\bworsen(?:ed|ing)\b/i
/** Matches words for a benefit. A symptom that became rarer or was treated is not a harm. */
const RARER =
  /\b(?:fewer|less|lower|decreas\w+|reduc\w+|fell|declined|dropped by|improv\w+|reliev\w+|prevent\w*|treat(?:ed|s)?)\b/i
/** Matches verbs for the measurement of harms, as in 'Adverse events were recorded at each visit.' */
const RECORDED = /\b(?:record|assess|monitor|collect|measur|ask|cod|classifi|defin|document|grad)(?:ed|s|ing)?\b/i

/** Returns whether a sentence reports harms of a treatment, drop-outs because of harms, or that there were no harms. */
export const isHarm = (text: string): boolean =>
  HARM.test(text) || WITHDREW.test(text) || WORSE.test(text) || (OCCURRED.test(text) && !RARER.test(text))

/** Returns whether a sentence only describes how harms were recorded. */
export const isRecordOfHarms = (text: string): boolean => isMethod(text) && RECORDED.test(text) && !hasFigure(text)
