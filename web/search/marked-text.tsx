import type { SearchHit } from '#shared/contract/library-search.ts'
import { abstractStart } from '#shared/passages/abstract-start.ts'
import { markedParts, type Span } from './marked-parts.ts'

/**
 * The text of a passage in the search results. The words that match the search are highlighted, and the best sentence is bold.
 */
export function MarkedText({ hit }: { hit: SearchHit }) {
  const { content, marks, best } = hit
  return (
    <>
      <Marked text={content} span={[startOf(hit), best[0]]} marks={marks} />
      <b>
        <Marked text={content} span={best} marks={marks} />
      </b>
      <Marked text={content} span={[best[1], content.length]} marks={marks} />
    </>
  )
}

/**
 * Returns the offset at which the shown text of a passage begins. A title at the start of an abstract is skipped, because the
 * result has it as heading, unless the title is the best sentence.
 */
function startOf(hit: SearchHit): number {
  const start = abstractStart(hit.content, hit)
  return hit.best[0] < start ? 0 : start
}

const Marked = ({ text, span, marks }: { text: string; span: Span; marks: readonly Span[] }) =>
  markedParts(text, span, marks).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))
