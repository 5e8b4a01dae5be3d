import type { RefObject } from 'react'
import { useSession } from '#web/auth/index.ts'
import { useTextDraft } from '#web/lib/drafts.ts'
import { QuestionBox } from '#web/ui/question-box.tsx'

const LONGEST_QUESTION = 4000

interface ComposerProps {
  documentId: string
  processing: boolean
  /** The id of the element with the reason why questions cannot be sent; undefined if they can. */
  lockedBy: string | undefined
  model: string
  field: RefObject<HTMLTextAreaElement | null>
  onAsk: (question: string) => void
  onStop: () => void
}

/**
 * The question bar. While an answer is streamed, it shows Stop. The text of a question that was not sent stays in this tab
 * until another user signs in.
 */
export function Composer({ documentId, processing, lockedBy, model, field, onAsk, onStop }: ComposerProps) {
  const draft = useTextDraft(useSession().session?.user.id ?? '', `question.${documentId}`)
  return (
    <QuestionBox
      className="flex-none px-7 pb-4.5 max-md:px-4 max-md:pt-0 max-md:pb-3"
      placeholder="Ask about this paper"
      longest={LONGEST_QUESTION}
      busy={processing}
      lockedBy={lockedBy}
      field={field}
      {...draft}
      onAsk={onAsk}
      onStop={onStop}
      below={
        <p className="mt-1.5 flex justify-between gap-4 text-meta text-muted-foreground max-md:hidden">
          <span>Enter sends</span>
          <span>{model}</span>
        </p>
      }
    />
  )
}
