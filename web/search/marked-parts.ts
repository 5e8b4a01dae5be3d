export type Span = readonly [start: number, end: number]

/**
 * Splits a part of a text (`span`) at its highlights. Parts with an odd index are highlighted. A highlight that begins before
 * the part or ends after it is cut.
 */
export function markedParts(text: string, [start, end]: Span, marks: readonly Span[]): string[] {
  const own = marks
    .filter(([from, to]) => to > start && from < end)
    .map(([from, to]) => [Math.max(from, start), Math.min(to, end)])
  const borders = [start, ...own.flat(), end]
  return borders.slice(1).map((to, index) => text.slice(borders[index], to))
}
