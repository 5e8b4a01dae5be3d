import type { FrontMatter } from './first-page.ts'
import type { Quoted } from './quoted.ts'
import { readSentences } from './sentences.ts'

/** The names and abbreviations of the months in the languages of European journals. */
const MONTHS = [
  'jan(?:uary|uar|vier|uari)?|enero|ene|gennaio|gen|janeiro|jänner',
  'feb(?:ruary|ruar|rero|braio|ruari)?|févr?(?:ier)?|fevereiro|fev',
  'mar(?:ch|s|zo|ço)?|märz|mrz|maart|mrt',
  'apr(?:il|ile)?|avr(?:il)?|abr(?:il)?',
  'may|mai|mayo|maggio|mag|maio|mei',
  'june?|juni|juin|junio|giugno|giu|junho',
  'july?|juli|juillet|juil|julio|luglio|lug|julho',
  'aug(?:ust|ustus)?|août|agosto|ago',
  'sept?(?:ember|embre|iembre)?|settembre|set(?:embro)?',
  'o[ck]t(?:ober|obre|ubre)?|ottobre|ott|outubro|out',
  'nov(?:ember|embre|iembre|embro)?',
  'de[cz](?:ember|embre)?|déc(?:embre)?|dic(?:iembre|embre)?|dezembro',
]
const MONTH = `(?:${MONTHS.join('|')})`
const WHOLE_MONTHS = MONTHS.map((month) => new RegExp(`^(?:${month})$`, 'iu'))
/**
 * Matches a full date: day month year, month day year or year month day with the month as a word, or a date in digits. Of the
 * days of a conference ('14–20 May 2024'), the first one is the day.
 */
const DATE = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(?<d1>\d{1,2})(?:st|nd|rd|th|er|º|°)?(?:\s?[–-]\s?\d{1,2})?\.?[\s-]+(?:de\s+|of\s+)?(?<m1>${MONTH})\.?,?[\s-]+(?:de\s+|del\s+)?(?<y1>(?:19|20)\d\d)|` +
    String.raw`(?<m2>${MONTH})\.?\s+(?<d2>\d{1,2})(?:st|nd|rd|th)?(?:\s?[–-]\s?(?:${MONTH}\s+)?\d{1,2})?,?\s+(?<y2>(?:19|20)\d\d)|` +
    String.raw`(?<y4>(?:19|20)\d\d),?\s+(?<m4>${MONTH})\.?\s+(?<d4>\d{1,2})|` +
    String.raw`(?<y3>(?:19|20)\d\d)(?<separator>[-/.])(?<m3>\d{1,2})\k<separator>(?<d3>\d{1,2})|` +
    String.raw`(?<d5>\d{1,2})(?:\.\s?(?<m5>\d{1,2})\.\s?|\/(?<m6>\d{1,2})\/)(?<y5>(?:19|20)\d\d))(?![\p{L}\d])`,
  'giu',
)

/** The event that a printed date states, such as the publication or the acceptance of the paper. */
type Kind = 'published' | 'online' | 'version' | 'accepted' | 'other'

/** The words before a date, by event. The first match counts, so that 'submitted for publication' is not a publication. */
const LABELS: readonly (readonly [Kind, RegExp])[] = [
  [
    'other',
    /(?:received|re-?submitted|submitted|submission|in revised form|revised|revision|accessed|retrieved|downloaded|visited|last updated|first version|first draft|presented|eingegangen|eingereicht|überarbeitet|abgerufen|reçu|révisé|recibido|revisado|ricevuto|recebido|ontvangen)(?: (?:in|on|le|el|am|il|em|op|for publication))?(?: date)?\s*[:.]?\s*$/iu,
  ],
  [
    'accepted',
    /(?:accepted(?: for publication)?|acceptance|angenommen|akzeptiert|accepté|aceptado|aceptada|accettato|aceito|aceite|geaccepteerd)(?: (?:on|in|le|el|am|il|em|op))?(?: date)?\s*[:.]?\s*$/iu,
  ],
  [
    'online',
    /(?:available online|advance access publication|online publication|published online(?: first)?|online first|veröffentlicht online|online veröffentlicht|epub|version of record|posted|mis en ligne)(?: (?:on|le|am))?(?: date)?\s*[:.]?\s*$/iu,
  ],
  [
    'published',
    /(?:first published(?: online)?(?: first)?|published(?: first)?(?: in print)?|publication date|date of publication|issue date|publication|veröffentlicht|erschienen|publié|publicado|publicada|pubblicato|gepubliceerd)(?: (?:on|in|le|el|am|il|em|op))?(?: date)?\s*[:.]?\s*$/iu,
  ],
  ['version', /(?:this (?:version|draft)|current version|dated?|version(?: [\d.]+)?(?: of)?)\s*[:.,]?\s*$/iu],
]
/**
 * Matches a label of another event than publication with a few words between the label and the date: 'received by the editors
 * on'.
 */
const DISTANT_OTHER = /(?:received|revised|accepted|submitted|accessed|retrieved|downloaded|visited)[^.;|]{0,30}$/iu
const STRONGEST: readonly Kind[] = ['published', 'online']

interface FoundDate {
  value: string
  quote: string
  kind: Kind | null
}

/**
 * Returns the publication date as yyyy-MM-dd, in this order of preference: a date labelled as published in print; one labelled
 * as published online; a full date on the first page outside sentences, such as the date of a version, an issue or a
 * conference; the date of acceptance. Ignores dates of receipt and revision, and dates without a day. Returns null if there is
 * no date.
 */
export function findPublicationDate(front: FrontMatter): Quoted | null {
  const labelled = datesIn(front.around.join('\n').slice(0, 120_000))
  const outside = [...front.runningLines, ...front.paragraphs].filter(
    (text) => text.length < 600 && readSentences({ text, page: 1 }).length === 0,
  )
  const unlabelled = datesIn(outside.slice(0, 80).join('\n'))
  const found =
    STRONGEST.map((kind) => labelled.find((date) => date.kind === kind)).find(Boolean) ??
    unlabelled.find((date) => date.kind === 'version') ??
    unlabelled.find((date) => date.kind === null) ??
    labelled.find((date) => date.kind === 'accepted')
  return found ? { value: found.value, quote: found.quote } : null
}

/**
 * Returns the valid, unambiguous dates in a text. `kind` is the event that the words before a date state; null if they state
 * none.
 */
function datesIn(text: string): FoundDate[] {
  return [...text.matchAll(DATE)].flatMap((found) => {
    const parts = found.groups!
    const named = parts.m1 ?? parts.m2 ?? parts.m4
    const month = named
      ? WHOLE_MONTHS.findIndex((pattern) => pattern.test(named)) + 1
      : Number(parts.m3 ?? parts.m5 ?? parts.m6)
    const day = Number(parts.d1 ?? parts.d2 ?? parts.d3 ?? parts.d4 ?? parts.d5)
    const year = Number(parts.y1 ?? parts.y2 ?? parts.y3 ?? parts.y4 ?? parts.y5)
    // Ignores an ambiguous date: 3/4/2020 is a day in March or in April.
    const isAmbiguous = parts.m6 !== undefined && day <= 12 && month <= 12 && day !== month
    const isMonthFirst = parts.m6 !== undefined && month > 12
    const value = isAmbiguous ? null : isMonthFirst ? isoDate(year, day, month) : isoDate(year, month, day)
    if (!value) return []
    return [{ value, quote: found[0], kind: kindOf(text.slice(Math.max(0, found.index - 60), found.index)) }]
  })
}

function kindOf(before: string): Kind | null {
  const kind = LABELS.find(([, pattern]) => pattern.test(before))?.[0]
  return kind ?? (DISTANT_OTHER.test(before) ? 'other' : null)
}

/** Returns the date as yyyy-MM-dd; null for a day that does not exist. */
function isoDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}
