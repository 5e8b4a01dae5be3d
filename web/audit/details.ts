/**
 * Returns the details of a log entry in words: `name: from → to` for a change, `name: value` otherwise. Null and undefined
 * values are omitted.
 */
export function readDetails(details: Record<string, unknown>): string[] {
  if (isChange(details)) return [`${inWords(details.from)} → ${inWords(details.to)}`]
  return Object.entries(details).flatMap(([key, value]) => {
    if (value === null || value === undefined) return []
    const name = NAMES[key] ?? key.replaceAll('_', ' ')
    if (isChange(value)) return [`${name}: ${inWords(value.from)} → ${inWords(value.to)}`]
    return [`${name}: ${inWords(value)}`]
  })
}

/** Labels of fields whose column name is not readable. */
const NAMES: Readonly<Record<string, string>> = {
  rss_feed_url: 'RSS feed',
  homepage_url: 'home page',
  works_api_url: 'works at OpenAlex',
  openalex_id: 'OpenAlex ID',
  issn_l: 'ISSN-L',
  h_index: 'h-index',
  i10_index: 'i10-index',
  is_open_access: 'open access',
  works_count: 'works',
  citations_count: 'citations',
  dollars_in: 'dollars sent',
  dollars_out: 'dollars received',
  dollars_a_month: 'dollars a month',
}

const isChange = (value: unknown): value is { from: unknown; to: unknown } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
