import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { DEFAULT_STYLE } from '#shared/contract/citation-styles.ts'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import styles from './citations.module.css'
import { languageOptions } from './languages.ts'
import type { CitingProject } from './last-used.ts'
import { citationStylesQuery } from './queries.ts'
import { StyleList } from './style-list.tsx'

const NONE = 'none'

/** The inputs of a project's default style and language of citations. */
export function CitationDefaults({
  value,
  onChange,
}: {
  value: CitingProject
  onChange: (value: CitingProject) => void
}) {
  const [choosing, setChoosing] = useState(false)
  const list = useQuery(citationStylesQuery)
  const { citation_style: style, citation_language: language } = value
  const titleOf = (wanted: string | null) => list.data?.data.find(({ id }) => id === wanted)?.title
  const isDeleted = style !== null && list.data !== undefined && titleOf(style) === undefined
  const title = isDeleted ? 'Deleted style' : (titleOf(style) ?? style)
  const choose = (chosen: string | null) => {
    onChange({ ...value, citation_style: chosen })
    setChoosing(false)
  }
  return (
    <fieldset className={styles.defaults}>
      <legend>Citations</legend>
      {list.error ? <p role="alert">{messageOf(list.error)}</p> : null}
      {choosing ? (
        <div>
          <StyleList onChoose={choose} />
          <div className="flex flex-wrap gap-1.5 border-t border-border pt-3">
            <Button size="sm" onClick={() => choose(null)}>
              No default style
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setChoosing(false)}>
              Cancel
            </Button>
          </div>
        </div>
      ) : (
        <div className={styles.choices}>
          <Field label="Citation style">
            {(ids) => (
              <Button
                id={ids.id}
                className="w-full min-w-0 justify-between font-normal"
                aria-haspopup="listbox"
                onClick={() => setChoosing(true)}
              >
                <span className="truncate">{title ?? 'The last used style'}</span>
                <ChevronDown data-trailing aria-hidden />
              </Button>
            )}
          </Field>
          <Field label="Language">
            {(ids) => (
              <Select
                {...ids}
                value={language ?? NONE}
                onChange={(next) => onChange({ ...value, citation_language: next === NONE ? null : next })}
                options={[{ value: NONE, label: 'Of the style' }, ...languageOptions(list.data?.locales ?? [])]}
              />
            )}
          </Field>
          <p className="col-span-full text-meta text-muted-foreground">
            For ‘Cite’ and ‘Copy citations’. A style with its own language uses that language.
            {isDeleted
              ? ` An administrator deleted the style. ${titleOf(DEFAULT_STYLE) ?? DEFAULT_STYLE} is used instead.`
              : ''}
          </p>
        </div>
      )}
    </fieldset>
  )
}
