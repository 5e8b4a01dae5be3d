/**
 * Volume, issue and pages as in CSL. `page` is a range such as '211-219', a first page, or an article number such as 'e2994'.
 */
export interface VolumeAndPages {
  volume?: string
  issue?: string
  page?: string
}

/** Volume, issue and pages that a text prints, and the year beside them; null without a year. */
export interface PrintedVolume extends VolumeAndPages {
  year: number | null
}

const YEAR = String.raw`(?<year>(?:19|20)\d\d)`
const VOLUME = String.raw`(?<volume>(?!(?:19|20)\d\d(?!\d))[1-9]\d{0,3})(?!\d|\.\d)`
const ISSUE = String.raw`\s?\((?:no\.?\s|issue\s)?(?<issue>(?!(?:19|20)\d\d\))(?:\d{1,4}(?:[–/-]\d{1,4})?|S\d{1,3}|Suppl(?:ement)?\.?\s?\d{0,3}))\)`
/** Matches the end of a page number: not within a longer number, a DOI, a range or a date such as '3 May'. */
const PAGE_END = String.raw`(?![\p{L}\d]|[./]\d|\s?[–—-]\s?\p{L}?\d|\s?\((?!(?:19|20)\d\d\))\d|\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}{0,6}\b)`
const RANGE = String.raw`[a-z]{0,3}\d{1,7}\s?[–—-]\s?[a-z]{0,3}\d{1,7}`
const PAGE = String.raw`(?:pp?\.?\s?|S\.\s?|article\s(?:no\.?\s)?)?(?<page>${RANGE}|[a-z]{0,3}\d{1,7})${PAGE_END}`
/**
 * Matches pages that cannot be the number of the printed page: a range, or an article number of five digits or with letters.
 */
const LONG_PAGE = String.raw`(?:pp?\.?\s?|S\.\s?)?(?<page>${RANGE}|[a-z]{1,3}\d{2,7}|\d{5,7})${PAGE_END}`

/** The forms of volume, issue and pages after the name of a journal. */
const FORMS = [
  // 2019;12(3):211–219
  String.raw`${YEAR}(?:\s\p{L}{3,9}\.?(?:\s\d{1,2})?)?\s?;\s?${VOLUME}(?:${ISSUE})?(?:\s?[:,]\s?${PAGE})?`,
  // (2019) 12(3), 211–219
  String.raw`\(${YEAR}\),?\s?${VOLUME}(?:${ISSUE})?\s?[:,]\s?${PAGE}`,
  // 14 (2019) 211–219
  String.raw`${VOLUME}(?:${ISSUE})?,?\s?\(${YEAR}\)(?:[\s,:]{1,3}${LONG_PAGE})?`,
  // 18(2), 2020: 45–58
  String.raw`${VOLUME}(?:${ISSUE})?,\s?${YEAR}\s?[:,]\s?${PAGE}`,
  // 2019, 12(3), 211
  String.raw`${YEAR},\s?${VOLUME}(?:${ISSUE})?\s?[:,]\s?${PAGE}`,
  // 8(7): e2994
  String.raw`${VOLUME}${ISSUE}\s?[:,]\s?${PAGE}`,
  // 5:e213
  String.raw`${VOLUME}:\s?${PAGE}`,
  // 12, 211–219
  String.raw`${VOLUME},\s?${LONG_PAGE}`,
].map((form) => new RegExp(`^${form}`, 'iu'))

const VOLUME_LABEL =
  /(?<!\p{L})(?:vol(?:umen?|\.)?|band|bd\.|tom[eo]|t\.|jahrgang|jg\.)\s?(?<volume>[1-9]\d{0,3})(?!\d|\.\d)|(?<!\d)(?<before>[1-9]\d{0,2})\.\s?(?:jahrgang|jg|band)(?!\p{L})/iu
const ISSUE_LABEL =
  /(?<!\p{L}|article\s)(?:issue|nos?\.?|nr\.?|number|núm\.?|número|numéro|n[°º]\.?|heft|h\.|ausgabe|fasc\.?)\s?(?<issue>[A-Z]{0,6}\d{1,4}(?:[–/-]\d{1,3})?)(?!\d)/iu
const PAGES_LABEL = new RegExp(
  String.raw`(?<!\p{L})(?:pp?\.?|pages|págs?\.?|[Ss]\.|Seiten)\s?(?<page>${RANGE})${PAGE_END}`,
  'u',
)
const ARTICLE_NUMBER =
  /(?<!\p{L})(?:article\s(?:no\.?\s|number\s|id\s)?(?<article>\d{1,7})|(?<electronic>e\d{3,7}))(?![\d–-])/iu
const ANY_YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/u
const DOI = /\b10\.\d{4,9}\/\S{1,200}/gu

/**
 * Reads volume, issue and pages at the beginning of a text, as they follow the name of a journal: '2019;12(3):211–219', '14
 * (2019) 211–219', '8(7): e2994' and similar forms. Returns null for any other text.
 */
export function readVolume(text: string): PrintedVolume | null {
  const rest = text.replace(/^[\s,.;:|·•—–-]+/u, '')
  for (const form of FORMS) {
    const found = form.exec(rest)
    if (!found) continue
    const { volume, issue, page, year } = found.groups!
    const after = /^\s?(?:\(|,\s?)((?:19|20)\d\d)(?!\d)/.exec(rest.slice(found[0].length))?.[1]
    return printed({ volume, issue, page, year: year ?? after })
  }
  return null
}

/**
 * Reads volume, issue and pages that have labels, anywhere in a line: 'Vol. 12, No. 3, pp. 211–219', 'March 2014 | Volume 8 |
 * Issue 7 | e2994'. Returns null if the line has neither a volume nor a range of pages with a label.
 */
export function readLabelledVolume(line: string): PrintedVolume | null {
  const text = line.replace(DOI, ' ')
  const year = ANY_YEAR.exec(text)?.[0]
  const { volume, before } = VOLUME_LABEL.exec(text)?.groups ?? {}
  const page = PAGES_LABEL.exec(text)?.groups?.page
  const found = volume ?? before
  if (!found) return page ? printed({ page, year }) : null
  const issue = ISSUE_LABEL.exec(text)?.groups?.issue
  const { article, electronic } = ARTICLE_NUMBER.exec(text)?.groups ?? {}
  return printed({ volume: found, issue, page: page ?? electronic ?? article, year })
}

interface Parts {
  volume?: string | undefined
  issue?: string | undefined
  page?: string | undefined
  year?: string | undefined
}

function printed({ volume, issue, page, year }: Parts): PrintedVolume | null {
  const pages = page ? pagesOf(page) : undefined
  if (page && !pages) return null
  return {
    ...(volume ? { volume } : {}),
    ...(issue ? { issue: issue.replace('–', '-') } : {}),
    ...(pages ? { page: pages } : {}),
    year: year ? Number(year) : null,
  }
}

/** Maximum number of pages of one paper. A longer range is that of another thing, such as the years of a study. */
const MOST_PAGES = 1000

/**
 * Returns a range of pages with a hyphen and its complete last page: '211–9' -> '211-219'. Returns an article number unchanged.
 * Returns null for a range that does not ascend.
 */
function pagesOf(text: string): string | null {
  const [first = '', end] = text.split(/\s?[–—-]\s?/u)
  if (end === undefined) return first
  const last = /^\d+$/.test(end) && end.length < first.length ? first.slice(0, first.length - end.length) + end : end
  const length = Number(/\d+$/.exec(last)![0]) - Number(/\d+$/.exec(first)![0])
  return length > 0 && length < MOST_PAGES ? `${first}-${last}` : null
}
