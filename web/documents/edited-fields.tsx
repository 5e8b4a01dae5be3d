import type { EditableField } from '#shared/documents.ts'
import { type PassageField, passageField } from '#shared/passages.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

/** The name of each field inside a sentence. */
const WORDS: Readonly<Record<EditableField, string>> = {
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
  abstract: 'abstract',
}
const enumeration = new Intl.ListFormat('en-GB')

/** Names of fields as a part of a sentence: 'title, summary and keywords'. */
export const fieldsInWords = (fields: readonly EditableField[]) => enumeration.format(fields.map((one) => WORDS[one]))

/** The edited fields of a document that an analysis could replace. */
export const analyzedFields = (edited: readonly EditableField[]): PassageField[] =>
  passageField.options.filter((field) => edited.includes(field))

/** Part of 'Select Prompt': names the fields that a person edited and asks whether the analysis may replace them. */
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
        <span className="hint block">
          {replace
            ? 'The analysis takes their place. It can be undone.'
            : 'Otherwise these fields stay as you wrote them.'}
        </span>
      </label>
    </div>
  )
}
