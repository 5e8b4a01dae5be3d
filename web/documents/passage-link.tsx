import type { FoundPassage } from '#shared/contract/passages.ts'
import { isSamePassage } from '#web/reader/index.ts'
import { PageLink, PageLinkMissing } from '#web/ui/page-link.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

export interface PassageView {
  /** The passage that is open in the reader. */
  shown: FoundPassage | null
  onShow: (passage: FoundPassage) => void
}

/** A link to the passage of a statement in the paper, or the note 'not found in the text'. */
export function PassageLink({ passage, shown, onShow }: PassageView & { passage: FoundPassage }) {
  const { page, match, score, quote } = passage
  if (match === 'none') return <PageLinkMissing>not found in the text</PageLinkMissing>
  const link = <PageLink page={page} current={isSamePassage(shown, passage)} onClick={() => onShow(passage)} />
  if (match !== 'approximate') return link
  return (
    <Tooltip text={`Found approximately, ${Math.round(score * 100)}% similar${quote ? `: “${quote}”` : ''}`}>
      {link}
    </Tooltip>
  )
}
