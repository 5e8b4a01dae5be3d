import type { FoundPassage } from '#shared/contract/passages.ts'
import { PageLink, PageLinkMissing } from '#web/ui/page-link.tsx'
import { isSamePlace } from './answer-parts.ts'

interface CitationProps {
  passage: FoundPassage
  shown: FoundPassage | null
  onShow: (passage: FoundPassage) => void
}

/** The page link after a sentence of an answer. A click shows the cited passage on its page. */
export function Citation({ passage, shown, onShow }: CitationProps) {
  if (passage.page === null || (passage.match === 'none' && passage.quote !== null)) return <NotFound />
  const likeness =
    passage.match === 'approximate' ? `Similar words (${Math.round(passage.score * 100)}% similar): ` : ''
  const title = passage.quote ? `${likeness}“${passage.quote}”` : `Show page ${passage.page}`
  return (
    <PageLink page={passage.page} current={isSamePlace(passage, shown)} title={title} onClick={() => onShow(passage)} />
  )
}

/** A note after a sentence of an answer. It says that the paper does not contain the words that the sentence cites. */
export const NotFound = () => <PageLinkMissing>not found in the text</PageLinkMissing>
