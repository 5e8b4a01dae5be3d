import { type ChatSource, similarityText } from '#shared/contract/chat.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { PageLinkLabel } from '#web/ui/page-link.tsx'
import { isSamePlace, passageOfSource } from './answer-parts.ts'
import styles from './chat.module.css'

interface SourcesProps {
  sources: ChatSource[]
  shown: FoundPassage | null
  onShow: (passage: FoundPassage) => void
}

/**
 * The passages used for an answer, most similar first, with page, text and similarity. A click shows the passage in the
 * pages.
 */
export function Sources({ sources, shown, onShow }: SourcesProps) {
  if (sources.length === 0) return null
  return (
    <section className={styles.sources} aria-label="Sources">
      <h3>Sources</h3>
      <ul>
        {sources.map((source, index) => {
          const passage = passageOfSource(source)
          const current = isSamePlace(passage, shown) ? 'true' : undefined
          const similarity = similarityText(source.similarity)
          return (
            <li key={index}>
              <button type="button" className={styles.source} aria-current={current} onClick={() => onShow(passage)}>
                <PageLinkLabel aria-current={current}>p. {source.page_number}</PageLinkLabel>
                <span className={styles.snippet}>{passage.quote}</span>
                <span className={styles.similarity} title="Similarity to the question">
                  {similarity}
                  <i aria-hidden="true">
                    <b style={{ width: `min(100%, ${similarity})` }} />
                  </i>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
