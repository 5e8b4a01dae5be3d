import type { Passage } from '#shared/contract/passages.ts'
import { Statement } from '#web/ui/page.tsx'
import { PassageLink } from './passage-link.tsx'
import type { PassageView } from './passage-link.tsx'
import { splitAtPassages } from './statements.ts'

/**
 * A text of an analysis, such as the summary. Each statement that has a passage in the paper is followed by a link to its page.
 */
export function CitedText({ text, passages, ...view }: PassageView & { text: string; passages: readonly Passage[] }) {
  return (
    <Statement className="whitespace-pre-line">
      {splitAtPassages(text, passages).map((stretch, index) => (
        <span key={`${index} ${stretch.text}`}>
          {stretch.text}
          {stretch.passages.map((passage) => (
            <span key={passage.item} className="mr-[0.1em] whitespace-nowrap">
              {' '}
              <PassageLink passage={passage} {...view} />
            </span>
          ))}
        </span>
      ))}
    </Statement>
  )
}
