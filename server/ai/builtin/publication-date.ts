import type { FrontMatter } from './first-page.ts'
import type { Quoted } from './quoted.ts'
import { readSentences } from './sentences.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
/** Day month year, month day year (a conference's days '14–20' count from the first), or ISO. */
const DATE = new RegExp(
  String.raw`\b(?:(?<d1>\d{1,2})(?:st|nd|rd|th)?(?:\s?[–-]\s?\d{1,2})?\.?\s+(?<m1>${MONTH})\.?,?\s+(?<y1>(?:19|20)\d\d)|` +
    String.raw`(?<m2>${MONTH})\.?\s+(?<d2>\d{1,2})(?:st|nd|rd|th)?(?:\s?[–-]\s?(?:${MONTH}\s+)?\d{1,2})?,?\s+(?<y2>(?:19|20)\d\d)|` +
    String.raw`(?<y3>(?:19|20)\d\d)[-/](?<m3>\d\d)[-/](?<d3>\d\d))\b`,
  'gi',
)
/** Strongest first. Dates of receipt, revision or acceptance are not publication dates. */
const LABELS = [
  /(?:first )?published(?: online)?(?: first)?(?: on)?\s*:?\s*$/i,
  /(?:publication date|date of publication|available online|advance access publication|online publication|version of record|posted|issue date)(?: date)?\s*:?\s*$/i,
]
const NOT_PUBLICATION =
  /(?:received|revised|accepted|submitted|submission|accessed|retrieved|downloaded|resubmitted|visited|last updated|in revised form)[^.;|]{0,30}$/i

/**
 * Returns the publication date, yyyy-MM-dd: a labelled date, else a full date on the first page outside its sentences
 * (an issue's or a conference's date). A month or year alone gives no date.
 */
export function findPublicationDate(front: FrontMatter): Quoted | null {
  const around = front.around.join('\n').slice(0, 120_000)
  const labelled = datesIn(around)
  for (const label of LABELS) {
    const found = labelled.find(({ before }) => label.test(before))
    if (found) return { value: found.value, quote: found.quote }
  }
  const outside = [...front.runningLines, ...front.paragraphs].filter(
    (text) => text.length < 600 && readSentences({ text, page: 1 }).length === 0,
  )
  const found = datesIn(outside.slice(0, 80).join('\n')).find(({ before }) => !NOT_PUBLICATION.test(before))
  return found ? { value: found.value, quote: found.quote } : null
}

function datesIn(text: string): { value: string; quote: string; before: string }[] {
  return [...text.matchAll(DATE)].flatMap((found) => {
    const parts = found.groups!
    const month = parts.m3
      ? Number(parts.m3)
      : MONTHS.indexOf((parts.m1 ?? parts.m2 ?? '').slice(0, 3).toLowerCase()) + 1
    const value = isoDate(Number(parts.y1 ?? parts.y2 ?? parts.y3), month, Number(parts.d1 ?? parts.d2 ?? parts.d3))
    return value ? [{ value, quote: found[0], before: text.slice(Math.max(0, found.index - 60), found.index) }] : []
  })
}

/** Returns null for invalid days. */
function isoDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}
