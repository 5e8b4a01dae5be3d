/** Pages that a citation marker names: `first` to `last`, which are equal for a single page. */
export interface PageRange {
  first: number
  last: number
}

/** Maximum number of pages of a range. A longer range does not locate a sentence, so only its first and last page count. */
const MOST_PAGES = 20

/** Reads the numbers of a citation marker: '4', '4, 9' or '4–7, 12'. Repeated pages and ranges are returned once. */
export function pageRanges(numbers: string): PageRange[] {
  const ranges = numbers.split(/[,;]/).flatMap((part): PageRange[] => {
    const pages = (part.match(/\d+/g) ?? []).map(Number)
    const [first = 0, last = 0] = pages
    if (pages.length === 2 && first < last && last - first < MOST_PAGES) return [{ first, last }]
    return pages.map((page) => ({ first: page, last: page }))
  })
  return [...new Map(ranges.map((range) => [`${range.first}-${range.last}`, range])).values()]
}

/** Returns the pages of a range in order. */
export const pagesIn = ({ first, last }: PageRange): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)
