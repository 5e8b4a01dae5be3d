import { PencilLine, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { documentDetail, type DocumentDetail } from '#shared/contract/documents.ts'
import type { Project } from '#shared/contract/projects.ts'
import { referencePatch } from '#shared/contract/reference-edits.ts'
import { FIELD_OF_COLUMN, REFERENCE_COLUMNS } from '#shared/references/columns.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { useUpdateDocument } from '#web/lib/update-document.ts'
import { useSaveTogether } from '#web/lib/save-together.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { useSeenVersion } from '#web/lib/use-seen-version.ts'
import { useUnsavedWarning } from '#web/lib/use-unsaved-warning.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { SectionRow } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import documentStyles from './document.module.css'
import { EditFrame } from './edit-frame.tsx'
import { ReferenceAside } from './reference-aside.tsx'
import { ALL_NAMES, type FieldName, labelOf, partsOf, type ReferenceType, TYPES } from './reference-fields.ts'
import { ReferenceField } from './reference-field.tsx'
import styles from './reference.module.css'
import { mergedReference, patchOf, type ReferenceValues, textOfValue, valuesOf } from './reference-values.ts'
import { useReferenceDraft } from './use-reference-draft.ts'

const LABELS = Object.fromEntries(
  (['type', ...ALL_NAMES] as const).map((name) => [name, name === 'type' ? 'Type of reference' : labelOf(name)]),
) as Record<keyof ReferenceValues, string>

/** The form of all bibliographic fields of a document (FMT-09). */
export function ReferenceForm({
  document,
  project,
  onDone,
}: {
  document: DocumentDetail
  project: Project
  onDone: () => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const saving = useUpdateDocument(document.id)
  const stored = valuesOf(document.reference)
  /**
   * The fields that the user has changed in this form. All other fields show the stored value, also after it changed elsewhere.
   */
  const [edits, setEdits] = useState<Partial<ReferenceValues>>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [opened, setOpened] = useState<ReadonlySet<FieldName>>(new Set())
  const values: ReferenceValues = { ...stored, ...edits }
  const isDirty = Object.keys(patchOf(stored, values)).length > 0
  const seen = useSeenVersion(document.version, isDirty)
  const leaving = useUnsavedWarning(isDirty)
  const draft = useReferenceDraft(document.id, { edits, setEdits, isDirty, seen, isGivenUp: leaving.isAllowed })
  const together = useSaveTogether<ReferenceValues>(LABELS, { text: textOfValue, path: (name) => `reference.${name}` })
  const put = (change: Partial<ReferenceValues>) => {
    setEdits({ ...edits, ...change })
    setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in change))))
  }
  const { type } = values
  const isOpen = (name: FieldName) => opened.has(name) || name in edits || textOfValue(stored[name], name) !== ''
  const { parts, more, offered, closed } = partsOf(type, isOpen)
  const open = (names: readonly FieldName[]) => {
    setOpened(new Set([...opened, ...names]))
    requestAnimationFrame(() => {
      const field = form.current?.querySelector(`[data-field="${CSS.escape(names[0]!)}"]`)
      field?.querySelector<HTMLElement>('input, textarea, button')?.focus()
    })
  }
  const refuse = (found: readonly (readonly [unknown, string])[]) => {
    setErrors(Object.fromEntries(found.toReversed().map(([name, message]) => [String(name), message])))
    requestAnimationFrame(() => {
      const first = form.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')
      first?.scrollIntoView({ block: 'center' })
      first?.focus()
    })
  }
  const submit = () => {
    const checked = referencePatch.safeParse(patchOf(stored, values))
    if (!checked.success) return refuse(checked.error.issues.map(({ path, message }) => [path[0], message]))
    const saved = together.save({
      before: stored,
      mine: values,
      version: seen.current,
      send: ({ before, mine, version }) => saving.mutateAsync({ reference: patchOf(before, mine), version }),
      read: (current) => {
        const theirs = documentDetail.omit({ extracted_text: true }).parse(current)
        return { values: valuesOf(theirs.reference), version: theirs.version }
      },
    })
    whenDone(saved, {
      onSuccess: (result) => {
        if (!result) return
        toast({ title: 'Reference saved' })
        leaving.allow()
        onDone()
      },
      onError: (error) => {
        const fields = error instanceof ApiError ? Object.entries(error.fields) : []
        const named = fields.map(([path, message]) => [path.split('.')[1], message] as const)
        if (named.length > 0) return refuse(named)
        return toast({ title: 'The reference was not saved', description: messageOf(error), destructive: true })
      },
    })
  }
  const edited = editedFields(document)
  const referenceNow = mergedReference(document.reference, patchOf(stored, values))
  const changed = (['type', ...ALL_NAMES] as const)
    .filter((name) => edited.has(name))
    .map((name) => (name === 'type' ? 'Type' : labelOf(name, type)))
  const field = (name: FieldName) => (
    <ReferenceField
      key={name}
      name={name}
      type={type}
      value={values[name]}
      known={document.journal_name}
      error={errors[name]}
      aside={edited.has(name) ? EDITED : null}
      onChange={(value) => put({ [name]: value })}
    />
  )
  return (
    <EditFrame
      document={document}
      heading="Reference"
      saveLabel="Save"
      saving={saving.isPending}
      draft={draft}
      dialog={together.dialog}
      formRef={form}
      onSubmit={submit}
      onCancel={onDone}
    >
      <div className={documentStyles.reading}>
        <div>
          <SectionRow>
            <h2>Type</h2>
            <div className={styles.fields}>
              <Field label="Type of reference" className="col-span-full" aside={edited.has('type') ? EDITED : null}>
                {(ids) => (
                  <Select
                    {...ids}
                    value={type}
                    options={TYPES}
                    onChange={(next) => put({ type: next as ReferenceType })}
                  />
                )}
              </Field>
            </div>
          </SectionRow>
          {parts.map(({ title, names }) => (
            <SectionRow key={title}>
              <h2>{title}</h2>
              <div className={styles.fields}>{names.map(field)}</div>
            </SectionRow>
          ))}
          <SectionRow>
            <h2>More fields</h2>
            <div className={styles.fields}>
              {more.map(field)}
              {closed.length > 0 ? (
                <div className={styles.buttons}>
                  {offered.map((name) => (
                    <Button key={name} size="sm" onClick={() => open([name])}>
                      <Plus aria-hidden />
                      {labelOf(name, type)}
                    </Button>
                  ))}
                  <Button size="sm" variant="ghost" onClick={() => open(closed)}>
                    All {ALL_NAMES.length} fields
                  </Button>
                </div>
              ) : null}
            </div>
          </SectionRow>
        </div>
        <ReferenceAside document={document} reference={referenceNow} project={project} changed={changed} />
      </div>
    </EditFrame>
  )
}

const EDITED = (
  <span className="inline-flex items-center gap-1 text-meta leading-none font-normal text-muted-foreground [&_svg]:size-3.5">
    <PencilLine aria-hidden />
    Changed by hand
  </span>
)

/** Returns the CSL names of the fields of a document that users edited. */
const editedFields = ({ edited_fields }: DocumentDetail): ReadonlySet<string> =>
  new Set(
    edited_fields.map((name) => {
      const column = REFERENCE_COLUMNS.find((one) => one === name)
      return column ? FIELD_OF_COLUMN[column] : name
    }),
  )
