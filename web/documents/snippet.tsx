import type { SnippetPart } from '#shared/contract/documents.ts'
import { nearHit } from './near-hit.ts'

/** The matching text of a search, with highlighted matches. */
export function Snippet({ parts }: { parts: readonly SnippetPart[] }) {
  return (
    <p className="snippet">
      {nearHit(parts).map((part, index) =>
        part.hit ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
      )}
    </p>
  )
}
