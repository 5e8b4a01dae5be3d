import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { documentTitle, insightsFromText } from '#shared/documents.ts'
import type { DocumentDetail } from '#shared/documents.ts'
import { publicationDate, readDate } from '#web/lib/dates.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { tagsQuery } from '#web/projects/index.ts'
import { Button } from '#web/ui/button.tsx'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { DateField } from './date-field.tsx'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import { journalsQuery, useUpdateDocument } from './queries.ts'
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
  keywords: z.array(z.string()),
  social_post: z.string().max(20_000, 'At most 20,000 characters'),
  insights: z.string(),
})
const orNull = (text: string) => text.trim() || null

/** Everything of a document that a person may correct. */
export function EditForm({ document, onDone }: { document: DocumentDetail; onDone: () => void }) {
  const saving = useUpdateDocument(document.id)
  const journals = useQuery(journalsQuery)
  const tags = useQuery(tagsQuery)
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: {
      title: document.title ?? '',
      doi_link: document.doi_link ?? '',
      publication_date: document.publication_date ? publicationDate(document.publication_date) : '',
      journal_name: document.journal_name ?? '',
      summary: document.summary ?? '',
      lifestyle_recommendations: document.lifestyle_recommendations ?? '',
      evidence_level: document.evidence_level ?? '',
      keywords: document.keywords,
      social_post: document.social_post ?? '',
      insights: document.insights.join('\n'),
    },
  })
  const { errors, isDirty } = form.formState
  const leaving = useUnsavedWarning(isDirty)
  const submit = form.handleSubmit((input) => {
    const { keywords, insights, ...texts } = input
    const journal = journals.data?.find((one) => one.name.toLowerCase() === texts.journal_name.trim().toLowerCase())
    saving.mutate(
      {
        title: orNull(texts.title),
        doi_link: orNull(texts.doi_link),
        publication_date: readDate(texts.publication_date),
        // A name without an id is looked up, and added when it is new.
        journal_name: journal?.name ?? orNull(texts.journal_name),
        ...(journal ? { journal_id: journal.id } : {}),
        summary: orNull(texts.summary),
        lifestyle_recommendations: orNull(texts.lifestyle_recommendations),
        evidence_level: orNull(texts.evidence_level),
        social_post: orNull(texts.social_post),
        keywords,
        insights: insightsFromText(insights),
      },
      {
        onSuccess: () => {
          toast({ title: 'Document updated', description: 'Changes saved successfully' })
          leaving.allow()
          onDone()
        },
        onError: (error) =>
          error instanceof ApiError && error.status >= 400
            ? toast({ title: 'Error updating document', description: messageOf(error), destructive: true })
            : toast({ title: 'Error', description: 'Failed to save document', destructive: true }),
      },
    )
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <div className="head mt-3">
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
      <p className="quiet -mt-3 mb-4">{documentTitle(document)}</p>
      <div className="edit">
        <Part title="Record">
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
                    <Combobox
                      ids={ids}
                      value={field.value}
                      onChange={field.onChange}
                      options={journals.data?.map((journal) => journal.name) ?? []}
                      newHint={
                        field.value === document.journal_name ? undefined : 'A new journal of this name is added.'
                      }
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
        </Part>
        <Part title="Keywords">
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
