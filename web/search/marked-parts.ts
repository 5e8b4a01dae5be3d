export type Span = readonly [start: number, end: number]

/**
 * Splits the part of `text` from `start` to `end` at its highlights (`marks`), so that they can be shown. In the result, the
 * parts with an odd index are highlighted. A highlight that begins before `start` or ends after `end` is cut.
 */
export function markedParts(text: string, [start, end]: Span, marks: readonly Span[]): string[] {
  const own = marks
    .filter(([from, to]) => to > start && from < end)
    .map(([from, to]) => [Math.max(from, start), Math.min(to, end)])
  const borders = [start, ...own.flat(), end]
  return borders.slice(1).map((to, index) => text.slice(borders[index], to))
}
