import type { FoundPassage } from '#shared/contract/passages.ts'
import { cn } from '#web/ui/class-names.ts'
import { PageLinkMissing } from '#web/ui/page-link.tsx'
import { paragraphs, passageOnPage, streamedParts } from './answer-parts.ts'
import styles from './chat.module.css'
import { Citation, NotFound } from './citation.tsx'
import type { ChatMessage } from './chat-message.ts'

interface AnswerProps {
  message: ChatMessage
  shown: FoundPassage | null
  onShow: (passage: FoundPassage) => void
}

/** An answer. Each sentence of a finished answer has links to its passages; a streamed answer has page links. */
export function Answer({ message, shown, onShow }: AnswerProps) {
  if (message.statements.length === 0) return <Written message={message} shown={shown} onShow={onShow} />
  return paragraphs(message.content, message.statements).map((group, index) => (
    <p key={index} className={styles.answer}>
      {group.map((statement, position) => (
        <span key={position}>
          {statement.text} <Passages passages={statement.passages} shown={shown} onShow={onShow} />
          {statement.unsupported_numbers.length > 0 ? <Unsupported numbers={statement.unsupported_numbers} /> : null}
        </span>
      ))}
    </p>
  ))
}

function Written({ message, shown, onShow }: AnswerProps) {
  if (!message.content) return null
  return (
    <p className={cn(styles.answer, 'whitespace-pre-line')}>
      {streamedParts(message.content).map((part, index) =>
        part.kind === 'text' ? (
          <span key={index}>{part.text}</span>
        ) : (
          <span key={index}>
            {' '}
            <Citation passage={passageOnPage(part.page, message.sources)} shown={shown} onShow={onShow} />
          </span>
        ),
      )}
    </p>
  )
}

/**
 * Links to the found passages of a sentence. If the sentence cites passages and none was found, shows 'not found in the text'.
 */
function Passages({ passages, shown, onShow }: { passages: FoundPassage[] } & Omit<AnswerProps, 'message'>) {
  const found = passages.filter((passage) => passage.match !== 'none')
  if (passages.length > 0 && found.length === 0) return <NotFoundSpace />
  return found.map((passage, index) => (
    <span key={index}>
      <Citation passage={passage} shown={shown} onShow={onShow} />{' '}
    </span>
  ))
}

/** A warning after a sentence of an answer: its passages do not contain these numbers. */
const Unsupported = ({ numbers }: { numbers: readonly string[] }) => (
  <>
    <PageLinkMissing>{numbers.join(', ')} not in the cited passage</PageLinkMissing>{' '}
  </>
)

const NotFoundSpace = () => (
  <>
    <NotFound />{' '}
  </>
)
