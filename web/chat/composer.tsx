import type { RefObject } from 'react'
import { QuestionBox } from '#web/ui/question-box.tsx'

const LONGEST_QUESTION = 4000

interface ComposerProps {
  processing: boolean
  model: string
  field: RefObject<HTMLTextAreaElement | null>
  onAsk: (question: string) => void
  onStop: () => void
}

/** The question bar. While an answer is streamed, it shows Stop. */
export const Composer = ({ processing, model, field, onAsk, onStop }: ComposerProps) => (
  <QuestionBox
    className="flex-none px-7 pb-4.5 max-md:px-4 max-md:pt-0 max-md:pb-3"
    placeholder="Ask about this paper"
    longest={LONGEST_QUESTION}
    busy={processing}
    field={field}
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
