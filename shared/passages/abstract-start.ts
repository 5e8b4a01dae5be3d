/**
 * Returns the offset of the abstract in a passage without a page, which consists of the title and the abstract of a paper.
 * Returns 0 for a passage with a page, and if the passage does not begin with `title`, because the paper has another title now.
 */
export function abstractStart(content: string, { title, page }: { title: string | null; page: number | null }): number {
  if (page !== null || title === null || !content.startsWith(title)) return 0
  return content.length - content.slice(title.length).trimStart().length
}
