import type { ReactNode } from 'react'
import type { FoundPassage, PassageMatch } from '#shared/contract/passages.ts'
import { PageLink, PageLinkMissing } from '#web/ui/page-link.tsx'
import styles from './runs.module.css'

/**
 * The place of a quote in a paper: its page and its offsets in the text of the page. Page and offsets are null if the quote was
 * not found or is in the abstract of a paper without a PDF.
 */
export interface Place {
  document_id: string
  page: number | null
  start: number | null
  end: number | null
  match: PassageMatch
}

/** A quote with a link to its page and, if `paper` is given, the title of its paper. `onShow` opens the reader at the quote. */
export function Quote({
  place,
  paper,
  text,
  children,
  onShow,
}: {
  place: Place
  paper: string | null
  text: string
  children: ReactNode
  onShow: (documentId: string, passage: FoundPassage) => void
}) {
  const { document_id, page, start, end, match } = place
  return (
    <blockquote className={styles.quote}>
      {children}{' '}
      {match === 'none' ? (
        <PageLinkMissing>not found in the text</PageLinkMissing>
      ) : (
        <PageLink page={page} onClick={() => onShow(document_id, { quote: text, page, start, end, match, score: 1 })} />
      )}
      {paper === null ? null : (
        <cite className="block font-sans text-meta text-muted-foreground not-italic">{paper}</cite>
      )}
    </blockquote>
  )
}
