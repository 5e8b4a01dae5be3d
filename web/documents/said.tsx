import type { Passage } from '#shared/contract/passages.ts'
import { PassageLink } from './passage-link.tsx'
import type { PassageView } from './passage-link.tsx'
import { stretches } from './statements.ts'

/** A text with a page link after each statement. */
export function Said({ text, passages, ...view }: PassageView & { text: string; passages: readonly Passage[] }) {
  return (
    <p className="said whitespace-pre-line">
      {stretches(text, passages).map((stretch, index) => (
        <span key={`${index} ${stretch.text}`}>
          {stretch.text}
          {stretch.passages.map((passage) => (
            <span key={passage.item} className="pl-behind">
              {' '}
              <PassageLink passage={passage} {...view} />
            </span>
          ))}
        </span>
      ))}
    </p>
  )
}
