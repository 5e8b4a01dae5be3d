import { useState } from 'react'
import { type Prompt, prompt as promptSchema } from '#shared/contract/prompts.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { changedValues, useSaveTogether } from '#web/lib/save-together.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { useUnsavedWarning } from '#web/lib/use-unsaved-warning.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import { ModelField } from './model-field.tsx'
import { useSavePrompt } from './queries.ts'
import { TryPrompt } from './try-prompt.tsx'

const LABELS = {
  name: 'Name',
  description: 'Description',
  model: 'Model',
  prompt: 'Prompt',
  default: 'Default prompt',
}

const valuesOf = (prompt: Prompt | null) => ({
  name: prompt?.name ?? '',
  description: prompt?.description ?? '',
  model: prompt?.model ?? '',
  prompt: prompt?.prompt ?? '',
  default: prompt?.default ?? false,
})

/** The dialog that adds or edits a prompt. The prompt can be tried on a document before it is saved. */
export function PromptDialog({
  prompt,
  onOpenChange,
}: {
  /** The prompt to edit; null for a new prompt. */
  prompt: Prompt | null
  onOpenChange: (open: boolean) => void
}) {
  const saving = useSavePrompt()
  const [before] = useState(() => valuesOf(prompt))
  const [fields, setFields] = useState(before)
  const set = (patch: Partial<typeof fields>) => setFields({ ...fields, ...patch })
  const isComplete = [fields.name, fields.model, fields.prompt].every((value) => value.trim() !== '')
  const refused = saving.error instanceof ApiError ? saving.error.fields : {}
  const { dialog, save: saveTogether } = useSaveTogether<ReturnType<typeof valuesOf>>(LABELS)
  // The version of the opened form: the list gets newer ones from other administrators.
  const [version] = useState(prompt?.version ?? 0)
  const send = () =>
    prompt
      ? saveTogether({
          before,
          mine: fields,
          version,
          send: ({ before, mine, version }) =>
            saving.mutateAsync({ id: prompt.id, ...changedValues(before, mine), version }),
          read: (current) => {
            const theirs = promptSchema.parse(current)
            return { values: valuesOf(theirs), version: theirs.version }
          },
        })
      : saving.mutateAsync(fields)
  const save = () =>
    whenDone(send(), {
      onSuccess: (saved) => {
        if (!saved) return
        toast({ title: prompt ? 'Prompt saved' : 'Prompt added' })
        leaving.allow()
        onOpenChange(false)
      },
      onError: (error) => toast({ title: 'Failed to save prompt', description: messageOf(error), destructive: true }),
    })
  const leaving = useUnsavedWarning(Object.keys(changedValues(before, fields)).length > 0)
  const leave = () => leaving.leave(() => onOpenChange(false))
  return (
    <Dialog
      open
      onOpenChange={leave}
      wide
      title={prompt ? 'Edit prompt' : 'Add prompt'}
      about={
        prompt
          ? `Version ${prompt.version}. Saving stores the current text as an earlier version.`
          : 'Tells a model what to extract from a paper.'
      }
      locked={saving.isPending}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete) save()
        }}
      >
        <div className="mt-4.5 grid grid-cols-[minmax(0,1fr)] gap-4">
          <Field label="Name" error={refused['name']}>
            {(ids) => (
              <Input
                {...ids}
                value={fields.name}
                maxLength={200}
                onChange={(event) => set({ name: event.target.value })}
              />
            )}
          </Field>
          <Field label="Description" hint="Shown where researchers choose a prompt." error={refused['description']}>
            {(ids) => (
              <Input
                {...ids}
                value={fields.description}
                maxLength={2000}
                onChange={(event) => set({ description: event.target.value })}
              />
            )}
          </Field>
          <ModelField value={fields.model} onChange={(model) => set({ model })} />
          <Field label="Prompt" error={refused['prompt']}>
            {(ids) => (
              <Textarea
                {...ids}
                rows={9}
                value={fields.prompt}
                maxLength={50_000}
                onChange={(event) => set({ prompt: event.target.value })}
              />
            )}
          </Field>
          <label className="flex items-center gap-2" htmlFor="prompt-default">
            <Checkbox id="prompt-default" checked={fields.default} onChange={(mark) => set({ default: mark })} />
            <span>
              Default prompt <span className="text-muted-foreground text-meta">used when no prompt is chosen</span>
            </span>
          </label>
          <TryPrompt prompt={fields.prompt} model={fields.model} />
        </div>
        <DialogActions>
          <Button variant="ghost" onClick={leave}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={!isComplete || saving.isPending}>
            {saving.isPending ? 'Saving...' : 'Save prompt'}
          </Button>
        </DialogActions>
      </form>
      {dialog}
    </Dialog>
  )
}
