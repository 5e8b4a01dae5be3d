import { Suspense, useState } from 'react'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'

const PromptWords = lazyPart(() => import('./prompt-words.tsx').then((file) => file.PromptWords))

type Analyzed = Pick<DocumentDetail, 'analysis_prompt' | 'analysis_prompt_version' | 'analysis_prompt_version_id'>

/** Prompt and version of an analysis. A click shows the text of the prompt. */
export function PromptUsed({ document }: { document: Analyzed }) {
  const [open, setOpen] = useState(false)
  const { analysis_prompt: name, analysis_prompt_version: version, analysis_prompt_version_id: id } = document
  const words = `${name}, version ${version}`
  if (!id) return words
  return (
    <>
      <button type="button" className="text-link text-left" onClick={() => setOpen(true)}>
        {words}
      </button>
      {open ? (
        <Suspense>
          <PromptWords id={id} title={words} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  )
}
