import { useQuery } from '@tanstack/react-query'
import { DEFAULT_MODEL, modelName } from '#shared/contract/prompts.ts'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { promptVersionQuery } from './queries.ts'

/** The dialog with the text of a version of a prompt. */
export function PromptWords({
  id,
  title,
  onOpenChange,
}: {
  id: string
  title: string
  onOpenChange: (open: boolean) => void
}) {
  const found = useQuery(promptVersionQuery(id))
  const model = found.data?.model
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={title}
      about={model ? (model === DEFAULT_MODEL.id ? DEFAULT_MODEL.name : modelName(model)) : 'Prompt sent to the model'}
    >
      <div className="mt-4.5">
        {found.isLoadingError ? (
          <div className="flex items-center gap-3">
            <FieldError className="mt-0">{messageOf(found.error)}</FieldError>
            <Button size="sm" onClick={() => void found.refetch()}>
              Retry
            </Button>
          </div>
        ) : found.data ? (
          <p className="font-serif whitespace-pre-wrap">{found.data.prompt}</p>
        ) : (
          <Skeleton height="6rem" />
        )}
      </div>
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
