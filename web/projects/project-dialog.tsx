import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { project as projectRow, PROJECT_IMAGE_TOO_LARGE, PROJECT_IMAGE_WRONG_TYPE } from '#shared/contract/projects.ts'
import type { Project } from '#shared/contract/projects.ts'
import { CitationDefaults } from '#web/citations/index.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { changedValues, useSaveTogether } from '#web/lib/save-together.tsx'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { useUnsavedWarning } from '#web/lib/use-unsaved-warning.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/checkbox.tsx'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import { useBudgetSection } from './budget-section.tsx'
import { HeroImageField } from './hero-image-field.tsx'
import type { ChosenPicture } from './hero-image-field.tsx'
import { useSaveProject } from './changes.ts'
import { CHOSEN_FILE, fields, SAVED_LABELS, savedText, type SavedValues, valuesOf } from './project-values.ts'
import { tagsQuery } from './queries.ts'
import type { SavedProject } from './changes.ts'

/** The dialog that creates a project, or edits the given one. `onSaved` is called with the saved project. */
export function ProjectDialog({
  project,
  open,
  onOpenChange,
  onSaved,
}: {
  project?: Project
  open: boolean
  onOpenChange: (open: boolean) => void
  onSaved?: (project: Project) => void
}) {
  if (!open) return null
  return <OpenDialog key={project?.id} project={project} onClose={() => onOpenChange(false)} onSaved={onSaved} />
}

function OpenDialog({
  project,
  onClose,
  onSaved,
}: {
  project: Project | undefined
  onClose: () => void
  onSaved: ((project: Project) => void) | undefined
}) {
  const saving = useSaveProject()
  const tags = useQuery(tagsQuery)
  useErrorToast('Error fetching tags', tags.error)
  const [picture, setPicture] = useState<ChosenPicture>()
  /** The project when the dialog opened or saved it last. */
  const [seen, setSeen] = useState(() => ({ values: valuesOf(project), version: project?.version ?? 0 }))
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: seen.values,
  })
  const together = useSaveTogether<SavedValues>(SAVED_LABELS, { text: savedText })
  const budget = useBudgetSection(project)
  const { errors, isDirty } = form.formState
  const leaving = useUnsavedWarning(isDirty || picture !== undefined || budget.isTyped)
  const leave = () => leaving.leave(onClose)
  const name = useWatch({ control: form.control, name: 'name' })
  const site = useSite()
  const [citation_style, citation_language] = useWatch({
    control: form.control,
    name: ['citation_style', 'citation_language'],
  })
  const citing = { citation_style, citation_language }
  const switchId = useId()
  const saved = (result: SavedProject | null) => {
    if (!result) return
    const { project: row, pictureError } = result
    if (pictureError) toast({ ...wordsOf(pictureError), destructive: true })
    else
      toast(
        project
          ? { title: 'Project updated' }
          : { title: 'Project created', description: 'Your new project has been created successfully.' },
      )
    leaving.allow()
    onClose()
    onSaved?.(row)
  }
  const failed = (error: Error) => {
    const fields = error instanceof ApiError ? error.fields : {}
    if (fields['name']) return form.setError('name', { message: fields['name'] }, { shouldFocus: true })
    const ofTags = Object.keys(fields).some((field) => field.startsWith('tags'))
    const title = ofTags ? 'Error creating tag' : project ? 'Error updating project' : 'Error creating project'
    toast({ title, description: messageOf(error), destructive: true })
  }
  const submit = form.handleSubmit((input) => {
    // A conflict of another field does not show the image of the other member.
    let pictureVersion = seen.version
    whenDone(
      project
        ? together.save({
            before: seen.values,
            mine: { ...input, hero_image: picture ? CHOSEN_FILE : picture === null ? null : seen.values.hero_image },
            version: seen.version,
            send: async ({ before, mine, version }) => {
              const { hero_image, ...changed } = changedValues(before, mine)
              const file = hero_image === CHOSEN_FILE ? picture : undefined
              const patch = { ...changed, ...(hero_image === null ? { hero_image } : {}), version }
              const result = await saving
                .mutateAsync({ id: project.id, patch, picture: file, pictureVersion })
                .catch((error: unknown) => {
                  if (error instanceof ApiError && error.fields['hero_image'])
                    pictureVersion = projectRow.parse(error.current).version
                  throw error
                })
              // The dialog stays open if the budget is not saved.
              const values = valuesOf(result.project)
              setSeen({ values, version: result.project.version })
              if (!result.pictureError) setPicture(undefined)
              form.reset(values)
              return (await budget.save()) ? result : null
            },
            read: (current) => {
              const theirs = projectRow.parse(current)
              return { values: valuesOf(theirs), version: theirs.version }
            },
          })
        : saving.mutateAsync({ input, picture }),
      { onSuccess: saved, onError: failed },
    )
  })
  return (
    <Dialog
      open
      onOpenChange={leave}
      title={project ? 'Edit project' : 'New Project'}
      about={project ? project.name : 'A project contains the papers of one research question.'}
    >
      <form className="mt-4.5 grid grid-cols-1 gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <Field label="Name" error={errors.name?.message}>
          {(ids) => <Input {...ids} autoComplete="off" {...form.register('name')} />}
        </Field>
        <Field
          label="Research question"
          hint="The question that the papers of this project answer."
          error={errors.research_question?.message}
        >
          {(ids) => <Textarea {...ids} rows={2} reading {...form.register('research_question')} />}
        </Field>
        <Field label="Description" hint="A blank line starts a new paragraph." error={errors.description?.message}>
          {(ids) => <Textarea {...ids} rows={4} {...form.register('description')} />}
        </Field>
        <HeroImageField name={name} current={project?.hero_image ?? null} chosen={picture} onChange={setPicture} />
        <Controller
          control={form.control}
          name="tags"
          render={({ field }) => (
            <Field label="Tags">
              {(ids) => (
                <ChipInput
                  ids={ids}
                  values={field.value}
                  onChange={field.onChange}
                  suggestions={tags.data?.map((tag) => tag.name) ?? []}
                  matchesKnown
                  placeholder="Type a tag and press Enter"
                />
              )}
            </Field>
          )}
        />
        <Controller
          control={form.control}
          name="process_automatically"
          render={({ field }) => (
            <label className="flex items-start gap-3" htmlFor={switchId}>
              <Switch id={switchId} checked={field.value} onChange={field.onChange} />
              <span>
                Process new documents automatically
                <span className="text-muted-foreground text-meta block">
                  Extract, analyze and vectorize each paper as soon as it is uploaded. Scans and garbled pages are read
                  by OCR.
                </span>
              </span>
            </label>
          )}
        />
        {site.citations ? (
          <CitationDefaults
            value={citing}
            onChange={({ citation_style, citation_language }) => {
              form.setValue('citation_style', citation_style, { shouldDirty: true })
              form.setValue('citation_language', citation_language, { shouldDirty: true })
            }}
          />
        ) : null}
        {budget.section}
        {together.dialog}
        {budget.dialog}
        <DialogActions>
          <Button variant="ghost" onClick={leave}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={saving.isPending || budget.isWrong}>
            {saving.isPending ? 'Saving...' : project ? 'Save Changes' : 'Create Project'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Returns the message for a project that was saved without its image, because the upload failed with this error. */
function wordsOf(error: Error) {
  const code = error instanceof ApiError ? error.code : ''
  const known =
    code === 'too_large' ? PROJECT_IMAGE_TOO_LARGE : code === 'wrong_type' ? PROJECT_IMAGE_WRONG_TYPE : undefined
  return { title: known?.title ?? 'The project was saved without its image', description: messageOf(error) }
}
