/**
 * Returns the offset of the abstract in a passage without a page, which consists of the title and the abstract of a paper.
 * Returns 0 for a passage with a page, and for a passage that does not begin with `title`, because the title of the paper has
 * been changed.
 */
export function abstractStart(content: string, { title, page }: { title: string | null; page: number | null }): number {
  if (page !== null || title === null || !content.startsWith(title)) return 0
  return content.length - content.slice(title.length).trimStart().length
}
