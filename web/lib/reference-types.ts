import type { Reference } from '#shared/contract/references.ts'

/** Returns the name of a CSL type or field as a label: 'Legal case' for 'legal_case'. */
export const readable = (name: string) => {
  const words = name.replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const TYPE_LABELS: Partial<Record<string, string>> = {
  article: 'Preprint or manuscript',
  'article-journal': 'Article in a journal',
  'article-magazine': 'Article in a magazine',
  'article-newspaper': 'Article in a newspaper',
  chapter: 'Chapter of a book',
  'entry-dictionary': 'Entry in a dictionary',
  'entry-encyclopedia': 'Entry in an encyclopedia',
  document: 'Other document',
  'paper-conference': 'Conference paper',
  periodical: 'Journal or issue',
  // Not a review article, which is an article in a journal.
  review: 'Review of a work',
  'review-book': 'Review of a book',
  thesis: 'Thesis',
  webpage: 'Web page',
  'post-weblog': 'Blog post',
} satisfies Partial<Record<Reference['type'], string>>
/** Returns the label of a CSL type. */
export const typeLabel = (type: string) => TYPE_LABELS[type] ?? readable(type)
