import type { SnippetPart } from '#shared/documents.ts'

/** Where in a document the searched words stand, the hits marked. */
export function Snippet({ parts }: { parts: readonly SnippetPart[] }) {
  return (
    <p className="snippet">
      {parts.map((part, index) =>
        part.hit ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
      )}
    </p>
  )
}
