import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { documentTitle, insightsFromText } from '#shared/documents.ts'
import type { DocumentDetail, DocumentPatch } from '#shared/documents.ts'
import { publicationDate, readDate } from '#web/lib/dates.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { tagsQuery } from '#web/projects/index.ts'
import { Button } from '#web/ui/button.tsx'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { DateField } from './date-field.tsx'
import { JournalField } from './journal-field.tsx'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import { FormLookup, linesOf } from './form-lookup.tsx'
import type { Chosen } from './lookup-dialog.tsx'
import type { LookedUpFields } from './lookup-fields.ts'
import { useUpdateDocument } from './queries.ts'
import { useUnsavedWarning } from './use-unsaved-warning.ts'

const fields = z.object({
  title: z.string().max(2000, 'At most 2,000 characters'),
  doi_link: z.string().max(500, 'At most 500 characters'),
  publication_date: z
    .string()
    .refine((text) => !text.trim() || readDate(text), 'Write the date as March 04, 2025 or as 2025-03-04'),
  journal_name: z.string().max(500, 'At most 500 characters'),
  summary: z.string(),
  lifestyle_recommendations: z.string(),
  evidence_level: z.string().max(500, 'At most 500 characters'),
  authors: z.string(),
  abstract: z.string().max(50_000, 'At most 50,000 characters'),
  keywords: z.array(z.string()),
  social_post: z.string().max(20_000, 'At most 20,000 characters'),
  insights: z.string(),
})
type Values = z.infer<typeof fields>
const orNull = (text: string) => text.trim() || null

/** A document as the form writes it. */
const valuesOf = (document: DocumentDetail): Values => ({
  title: document.title ?? '',
  doi_link: document.doi_link ?? '',
  publication_date: document.publication_date ? publicationDate(document.publication_date) : '',
  journal_name: document.journal_name ?? '',
  summary: document.summary ?? '',
  lifestyle_recommendations: document.lifestyle_recommendations ?? '',
  evidence_level: document.evidence_level ?? '',
  authors: document.authors.join('\n'),
  abstract: document.abstract ?? '',
  keywords: document.keywords,
  social_post: document.social_post ?? '',
  insights: document.insights.join('\n'),
})

/** What is written, as the server takes it. */
const patchOf = ({ keywords, insights, authors, ...texts }: Values) => ({
  title: orNull(texts.title),
  doi_link: orNull(texts.doi_link),
  publication_date: readDate(texts.publication_date),
  // The server looks the name up, in any case, and adds it when it is new.
  journal_name: orNull(texts.journal_name),
  summary: orNull(texts.summary),
  lifestyle_recommendations: orNull(texts.lifestyle_recommendations),
  evidence_level: orNull(texts.evidence_level),
  social_post: orNull(texts.social_post),
  abstract: orNull(texts.abstract),
  authors: linesOf(authors),
  keywords,
  insights: insightsFromText(insights),
})

/** The fields that were changed: what another tab or an analysis wrote into the others meanwhile is not undone. */
function changesOf(before: Values, now: Values): DocumentPatch {
  const isChanged = (name: string) =>
    JSON.stringify(before[name as keyof Values]) !== JSON.stringify(now[name as keyof Values])
  return Object.fromEntries(Object.entries(patchOf(now)).filter(([name]) => isChanged(name)))
}

/** What the form holds of the paper itself. */
const factsOf = (values: Omit<Values, 'keywords'>): LookedUpFields => ({
  title: orNull(values.title),
  doi_link: orNull(values.doi_link),
  publication_date: readDate(values.publication_date),
  journal_name: orNull(values.journal_name),
  authors: linesOf(values.authors),
  abstract: orNull(values.abstract),
})

/** Everything of a document that a person may correct. */
export function EditForm({ document, onDone }: { document: DocumentDetail; onDone: () => void }) {
  const saving = useUpdateDocument(document.id)
  const tags = useQuery(tagsQuery)
  const stored = valuesOf(document)
  const form = useForm({
    resolver: zodResolver(fields),
    // What is written elsewhere while the form is open fills every field that nobody has changed here.
    values: stored,
    resetOptions: { keepDirtyValues: true },
  })
  const { errors, isDirty } = form.formState
  const leaving = useUnsavedWarning(isDirty)
  // What comes along with the fields that were chosen, and has no field of its own.
  const [found, setFound] = useState<Pick<DocumentPatch, 'semantic_paperid' | 'retracted'>>({})
  const take = ({ fields: chosen, semantic_paperid, retracted }: Chosen) => {
    const set = (name: keyof Values, value: string) =>
      form.setValue(name, value, { shouldDirty: true, shouldValidate: true })
    for (const [name, value] of Object.entries(chosen) as [keyof LookedUpFields, string | string[] | null][])
      if (Array.isArray(value)) set(name, value.join('\n'))
      else set(name, name === 'publication_date' && value ? publicationDate(value) : (value ?? ''))
    setFound({ retracted, ...(semantic_paperid ? { semantic_paperid } : {}) })
  }
  const submit = form.handleSubmit((input) => {
    whenDone(saving.mutateAsync({ ...changesOf(stored, input), ...found }), {
      onSuccess: () => {
        toast({ title: 'Document updated', description: 'Changes saved successfully' })
        leaving.allow()
        onDone()
      },
      onError: (error) =>
        error instanceof ApiError && error.status >= 400
          ? toast({ title: 'Error updating document', description: messageOf(error), destructive: true })
          : toast({ title: 'Error', description: 'Failed to save document', destructive: true }),
    })
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div className="head edit-head">
        <h1>Edit document</h1>
        <div className="end">
          <Button variant="ghost" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={saving.isPending}>
            {saving.isPending ? 'Saving...' : 'Save Changes'}
          </Button>
        </div>
      </div>
      <p className="quiet mb-4 wrap-anywhere">{documentTitle(document)}</p>
      <div className="edit">
        <Part title="Record">
          <FormLookup
            documentId={document.id}
            now={() => factsOf(form.getValues())}
            retracted={found.retracted ?? document.retracted}
            taken={found.retracted !== undefined}
            onChoose={take}
          />
          <Field label="Title" error={errors.title?.message}>
            {(ids) => <Textarea {...ids} rows={2} reading {...form.register('title')} />}
          </Field>
          <div className="edit-pair">
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
                <Field label="Publication date" error={errors.publication_date?.message}>
                  {(ids) => <DateField ids={ids} value={field.value} onChange={field.onChange} />}
                </Field>
              )}
            />
          </div>
          <div className="edit-pair">
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
                    suggestions={tags.data?.map((tag) => tag.name) ?? []}
                    placeholder="Type a keyword and press Enter"
                  />
                )}
              </Field>
            )}
          />
        </Part>
      </div>
    </form>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="section-row">
    <h2>{title}</h2>
    <div className="form edit-fields">{children}</div>
  </section>
)
