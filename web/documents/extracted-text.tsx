import { splitPages } from '#shared/pdf-text/page-text.ts'
import styles from './document.module.css'

/** The extracted text, page by page, in a scrolling box. */
export function ExtractedText({ text }: { text: string | null }) {
  const pages = text ? splitPages(text) : []
  return (
    <div className={styles.extractedText} tabIndex={0} role="region" aria-label="Original text">
      {pages.length === 0 ? (
        <p>No text extracted yet</p>
      ) : (
        pages.map(({ page, text: words }) => (
          <section key={page}>
            <h3 className="tabular-nums lining-nums">[Page {page}]</h3>
            <p className="whitespace-pre-wrap">{words}</p>
          </section>
        ))
      )}
    </div>
  )
}
