import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Prompt } from '#shared/contract/prompts.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { PromptChoices } from './prompt-choices.tsx'
import { promptsQuery } from './queries.ts'

/** 'Select Prompt': chooses the prompt for the analysis of one or several documents. */
export function PromptDialog({
  open,
  onOpenChange,
  about,
  busy,
  onStart,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  about: string
  busy: boolean
  onStart: (prompt: Prompt) => void
  /** More controls, shown below the list of prompts. */
  children?: ReactNode
}) {
  const prompts = useQuery({ ...promptsQuery, enabled: open })
  const [chosen, setChosen] = useState<string>()
  const prompt = prompts.data?.find(({ id }) => id === chosen)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Select Prompt" about={about}>
      <div className="mt-4.5">
        <PromptChoices value={chosen} onChange={setChosen} disabled={busy} />
        {children}
      </div>
      <DialogActions>
        <Button variant="ghost" onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        <Button variant="primary" disabled={!prompt || busy} onClick={() => prompt && onStart(prompt)}>
          {busy ? 'Analyzing...' : 'Start Analysis'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
