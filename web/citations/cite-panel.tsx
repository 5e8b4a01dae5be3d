import { useQuery } from '@tanstack/react-query'
import { Check, ChevronDown, Copy } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { DEFAULT_STYLE } from '#shared/contract/citation-styles.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { CopyAs } from '#web/exports/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Spinner } from '#web/ui/marks.tsx'
import { Select } from '#web/ui/select.tsx'
import { CitationNotice } from './citation-notice.tsx'
import styles from './citations.module.css'
import { copyBoth, type Copied } from './copy-citations.ts'
import { languageOptions, ofStyle } from './languages.ts'
import { type CitingProject, rememberStyle, styleFor } from './last-used.ts'
import { readMarkup } from './markup.tsx'
import { citationsQuery, citationStylesQuery } from './queries.ts'
import { StyleList } from './style-list.tsx'

/** Value of the option 'default language' in the list of languages. */
const OF_STYLE = 'style'
const COPIED_MS = 2000

/** A paper to cite. */
export type CitedDocument = Pick<DocumentDetail, 'id' | 'project_id' | 'reference'>

/** Shows the citation of a paper in a chosen style and language, with buttons to copy it. */
export function CitePanel({
  document: { id, project_id, reference },
  project,
}: {
  document: CitedDocument
  project: CitingProject
}) {
  const citationKey = reference['citation-key']
  const [style, setStyle] = useState(() => styleFor(project))
  const [locale, setLocale] = useState(OF_STYLE)
  const [choosing, setChoosing] = useState(false)
  const list = useQuery(citationStylesQuery)
  const cited = useQuery(citationsQuery({ ids: [id], style, ...(locale === OF_STYLE ? {} : { locale }) }))
  const titleOf = (wanted: string) => list.data?.data.find(({ id }) => id === wanted)?.title
  // The citation is in the default style if an admin has deleted the style.
  const title = titleOf(style) ?? titleOf(DEFAULT_STYLE) ?? style
  const choose = (chosen: string) => {
    rememberStyle(chosen)
    setStyle(chosen)
    setChoosing(false)
  }
  return (
    <div className="grid min-w-0 gap-3">
      {choosing ? (
        <StyleList onChoose={choose} />
      ) : (
        <>
          <div className={styles.choices}>
            <Field label="Style">
              {(ids) => (
                <Button
                  id={ids.id}
                  className="w-full min-w-0 justify-between font-normal"
                  aria-haspopup="listbox"
                  onClick={() => setChoosing(true)}
                >
                  <span className="truncate">{title}</span>
                  <ChevronDown data-trailing aria-hidden />
                </Button>
              )}
            </Field>
            <Field label="Language">
              {(ids) => (
                <Select
                  {...ids}
                  value={locale}
                  onChange={setLocale}
                  options={[{ value: OF_STYLE, label: ofStyle(project) }, ...languageOptions(list.data?.locales ?? [])]}
                />
              )}
            </Field>
          </div>
          {cited.error ? <p role="alert">{messageOf(cited.error)}</p> : null}
          {cited.isPending ? <Spinner label="Formatting" /> : null}
          {cited.data ? (
            <>
              <Output heading="In-text" html={cited.data.html.intext} text={cited.data.text.intext} />
              <Output
                heading="Bibliography"
                html={cited.data.html.bibliography.join('\n')}
                text={cited.data.text.bibliography.join('\n')}
                hanging
              />
            </>
          ) : null}
          <div className="flex flex-wrap gap-1.5 border-t border-border pt-3">
            <CopyAs id={id} projectId={project_id} />
            {citationKey ? (
              <Button size="sm" onClick={() => void copyText(citationKey, 'Citation key copied')}>
                Copy citation key
              </Button>
            ) : null}
          </div>
        </>
      )}
      <CitationNotice className="border-t border-border pt-3" />
    </div>
  )
}

/** A formatted citation and its Copy button. */
function Output({ heading, html, text, hanging = false }: Copied & { heading: string; hanging?: boolean }): ReactNode {
  const [copied, setCopied] = useState('')
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(''), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const isCopied = copied === html && copied !== ''
  return (
    <section className={styles.output} aria-label={heading}>
      <h3>{heading}</h3>
      {html ? (
        <Button
          size="sm"
          variant={isCopied ? 'ghost' : 'outline'}
          onClick={() => void copyBoth({ html, text }).then((done) => done && setCopied(html))}
        >
          {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      ) : null}
      <p className={hanging ? styles.hanging : undefined}>{html ? readMarkup(html) : 'This style has none.'}</p>
    </section>
  )
}
