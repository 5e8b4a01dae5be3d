import type { EditedField } from '#shared/contract/documents.ts'
import { type PassageField, passageField } from '#shared/contract/passages.ts'
import { listed } from '#web/lib/listed.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

/** The names of the fields as they are written within a sentence. */
const WORDS: Readonly<Record<PassageField, string>> = {
  title: 'title',
  doi_link: 'DOI',
  publication_date: 'publication date',
  journal_name: 'journal',
  summary: 'summary',
  insights: 'insights',
  lifestyle_recommendations: 'lifestyle recommendations',
  evidence_level: 'evidence level',
  keywords: 'keywords',
  social_post: 'social post',
  authors: 'authors',
}

/** Returns field names as part of a sentence: 'title, summary and keywords'. */
export const fieldsInWords = (fields: readonly PassageField[]) => listed(fields.map((one) => WORDS[one]))

/** Returns the fields in `edited` that an analysis fills and could therefore replace. */
export const analyzedFields = (edited: readonly EditedField[]): PassageField[] =>
  passageField.options.filter((field) => edited.includes(field))

/** A part of the dialog 'Select Prompt'. Lists the fields that users edited and asks whether the analysis may replace them. */
export function EditedFields({
  fields,
  replace,
  onChange,
}: {
  fields: readonly PassageField[]
  replace: boolean
  onChange: (replace: boolean) => void
}) {
  const words = fieldsInWords(fields)
  return (
    <div className="mt-5 flex items-start gap-2">
      <Checkbox id="replace-edited" checked={replace} onChange={onChange} />
      <label htmlFor="replace-edited">
        Replace my edits: {words}
        <span className="mt-1.5 block text-meta text-muted-foreground">
          {replace ? 'The analysis replaces them. You can undo it.' : 'Otherwise these fields keep your text.'}
        </span>
      </label>
    </div>
  )
}
