import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { documentDetail, type DocumentDetail } from '#shared/contract/documents.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { publicationDate } from '#web/lib/dates.ts'
import { useUpdateDocument } from '#web/lib/update-document.ts'
import { useSaveTogether } from '#web/lib/save-together.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { KEEP_EDITS, useSeenVersion } from '#web/lib/use-seen-version.ts'
import { useUnsavedWarning } from '#web/lib/use-unsaved-warning.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { type Chosen, FormLookup, type LookedUpFields } from '#web/lookup/index.ts'
import { tagsQuery } from '#web/projects/index.ts'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import { SectionRow } from '#web/ui/page.tsx'
import { DateField } from '#web/lib/date-field.tsx'
import styles from './document.module.css'
import { EditFrame } from './edit-frame.tsx'
import { changedNames, editValues, type EditValues, factsOf, lookedUpNames, dateHint, valuesOf } from './edit-values.ts'
import { JournalField } from './journal-field.tsx'
import { documentFiltersQuery } from './queries.ts'
import { changeOf, SAVED_LABELS, savedText, type SavedValues, savedValuesOf, withChosen } from './saved-values.ts'
import { inShownCase } from './search.ts'
import { useDraft } from './use-draft.ts'

/** The edit form of a document. */
export function EditForm({ document, onDone }: { document: DocumentDetail; onDone: () => void }) {
  const saving = useUpdateDocument(document.id)
  const tags = useQuery(tagsQuery)
  const projectId = document.project_id ?? ''
  const filters = useQuery({ ...documentFiltersQuery(projectId), enabled: projectId !== '' })
  const suggestions = inShownCase(namesOf(tags.data), namesOf(filters.data?.tags))
  const stored = valuesOf(document)
  const form = useForm({
    resolver: zodResolver(editValues),
    // If a value changes elsewhere while the form is open, fields without edits show the new value.
    values: stored,
    resetOptions: KEEP_EDITS,
  })
  const { errors, isDirty } = form.formState
  /** The values that the user chose in the metadata look-up. The form already contains them. */
  const [found, setFound] = useState<Chosen | null>(null)
  const isUnsaved = isDirty || Object.keys(found?.reference ?? {}).length > 0
  const leaving = useUnsavedWarning(isUnsaved)
  const seen = useSeenVersion(document.version, isUnsaved)
  const together = useSaveTogether<SavedValues>(SAVED_LABELS, { text: savedText })
  const draft = useDraft(document.id, form, { stored, found, setFound, seen, isGivenUp: leaving.isAllowed })
  const take = (chosen: Chosen) => {
    const set = (name: keyof EditValues, value: string) =>
      form.setValue(name, value, { shouldDirty: true, shouldValidate: true })
    for (const [name, value] of Object.entries(chosen.fields) as [keyof LookedUpFields, string | string[] | null][])
      if (Array.isArray(value)) set(name, value.join('\n'))
      else set(name, name === 'publication_date' && value ? publicationDate(value) : (value ?? ''))
    if (chosen.reference.issued) set('publication_date', '')
    const { issued: _, ...before } = found?.reference ?? {}
    setFound({
      ...chosen,
      fields: { ...found?.fields, ...chosen.fields },
      reference: { ...(chosen.fields.publication_date ? before : found?.reference), ...chosen.reference },
    })
  }
  /** Returns the fields that the user has edited, saved or not. Omits fields whose value is from the metadata look-up. */
  const editedNow = () => {
    const values = form.getValues()
    const fromService: readonly string[] = lookedUpNames(values, found)
    return [...document.edited_fields, ...changedNames(stored, values)].filter((name) => !fromService.includes(name))
  }
  const submit = form.handleSubmit((input) => {
    const before = savedValuesOf(document)
    const saved = together.save({
      before,
      mine: withChosen(before, input, found),
      version: seen.current,
      send: ({ before, mine, version }) => saving.mutateAsync({ ...changeOf(before, mine, found), version }),
      read: (current) => {
        const theirs = documentDetail.omit({ extracted_text: true }).parse(current)
        return { values: savedValuesOf(theirs), version: theirs.version }
      },
    })
    whenDone(saved, {
      onSuccess: (result) => {
        if (!result) return
        toast({ title: 'Document updated', description: 'Changes saved successfully' })
        leaving.allow()
        draft.remove()
        onDone()
      },
      onError: (error) =>
        error instanceof ApiError && error.status >= 400
          ? toast({ title: 'Error updating document', description: messageOf(error), destructive: true })
          : toast({ title: 'Error', description: 'Failed to save document', destructive: true }),
    })
  })
  return (
    <EditFrame
      document={document}
      heading="Edit document"
      saveLabel="Save Changes"
      saving={saving.isPending}
      draft={draft}
      dialog={together.dialog}
      onSubmit={() => void submit()}
      onCancel={onDone}
    >
      <div className={styles.editForm}>
        <Part title="Record">
          <FormLookup
            documentId={document.id}
            now={() => ({
              ...factsOf(form.getValues()),
              reference: { ...document.reference, ...found?.reference },
            })}
            edited={editedNow}
            retracted={found?.retracted ?? document.retracted}
            taken={found}
            onChoose={take}
          />
          <Field label="Title" error={errors.title?.message}>
            {(ids) => <Textarea {...ids} rows={2} reading {...form.register('title')} />}
          </Field>
          <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
            <Controller
              control={form.control}
              name="journal_name"
              render={({ field }) => (
                <Field label="Journal" error={errors.journal_name?.message}>
                  {(ids) => (
                    <JournalField
                      ids={ids}
                      value={field.value}
                      onChange={field.onChange}
                      known={document.journal_name}
                    />
                  )}
                </Field>
              )}
            />
            <Controller
              control={form.control}
              name="publication_date"
              render={({ field }) => (
                <Field label="Publication date" hint={dateHint(document)} error={errors.publication_date?.message}>
                  {(ids) => <DateField ids={ids} value={field.value} onChange={field.onChange} />}
                </Field>
              )}
            />
          </div>
          <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
            <Field label="DOI link" error={errors.doi_link?.message}>
              {(ids) => <Input {...ids} autoComplete="off" {...form.register('doi_link')} />}
            </Field>
            <Field
              label="Evidence level"
              hint="For example “Level 2: Randomised controlled trial”."
              error={errors.evidence_level?.message}
            >
              {(ids) => <Input {...ids} autoComplete="off" {...form.register('evidence_level')} />}
            </Field>
          </div>
        </Part>
        <Part title="Paper">
          <Field label="Authors" hint="One author per line.">
            {(ids) => <Textarea {...ids} rows={3} {...form.register('authors')} />}
          </Field>
          <Field label="Abstract" error={errors.abstract?.message}>
            {(ids) => <Textarea {...ids} rows={5} reading {...form.register('abstract')} />}
          </Field>
        </Part>
        <Part title="Analysis">
          <Field label="Summary" error={errors.summary?.message}>
            {(ids) => <Textarea {...ids} rows={5} reading {...form.register('summary')} />}
          </Field>
          <Field label="Insights" hint="One insight per line." error={errors.insights?.message}>
            {(ids) => <Textarea {...ids} rows={5} reading {...form.register('insights')} />}
          </Field>
          <Field label="Lifestyle recommendations" error={errors.lifestyle_recommendations?.message}>
            {(ids) => <Textarea {...ids} rows={5} reading {...form.register('lifestyle_recommendations')} />}
          </Field>
          <Field label="Social post" error={errors.social_post?.message}>
            {(ids) => <Textarea {...ids} rows={3} reading {...form.register('social_post')} />}
          </Field>
          <Controller
            control={form.control}
            name="keywords"
            render={({ field }) => (
              <Field label="Keywords">
                {(ids) => (
                  <ChipInput
                    ids={ids}
                    values={field.value}
                    onChange={field.onChange}
                    suggestions={suggestions}
                    placeholder="Type a keyword and press Enter"
                  />
                )}
              </Field>
            )}
          />
        </Part>
      </div>
    </EditFrame>
  )
}

const namesOf = (tags: readonly { name: string }[] = []) => tags.map(({ name }) => name)

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <SectionRow>
    <h2>{title}</h2>
    <div className="max-w-3xl grid grid-cols-1 gap-4">{children}</div>
  </SectionRow>
)
