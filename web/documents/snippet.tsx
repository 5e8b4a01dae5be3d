import type { SnippetPart } from '#shared/contract/documents.ts'
import styles from './documents.module.css'
import { nearHit } from './near-hit.ts'

/** A part of a document's text that matches a search, with highlighted matches. */
export function Snippet({ parts }: { parts: readonly SnippetPart[] }) {
  return (
    <p className={styles.snippet}>
      {nearHit(parts).map((part, index) =>
        part.hit ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
      )}
    </p>
  )
}
