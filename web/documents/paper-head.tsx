import { useState, type ReactNode } from 'react'
import { documentTitle } from '#shared/contract/documents.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { doiText } from '#shared/contract/doi.ts'
import type { PassageField } from '#shared/contract/passages.ts'
import { publicationDate } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { dateText } from '#web/lib/date-text.ts'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import { Unbroken } from '#web/ui/unbroken.tsx'
import styles from './document.module.css'
import { doiAddress } from './doi.ts'
import { PassageLink } from './passage-link.tsx'
import type { PassageView } from './passage-link.tsx'
import { passagesOf } from './statements.ts'

/** Title and bibliographic line of a paper. Unknown fields are omitted. */
export function PaperHead({
  document,
  onRead,
  ...view
}: PassageView & {
  document: DocumentDetail
  /** Opens the reader beside the document. */
  onRead: () => void
}) {
  const { journal_name, publication_date, doi_link, reference } = document
  const published = publication_date ? publicationDate(publication_date) : dateText(reference.issued)
  // Without a title and authors, the citation key is derived from the file and changes later.
  const key = document.title?.trim() || document.authors.length > 0 ? reference['citation-key'] : undefined
  // The passages of an analysis do not support a value that a user edited.
  const supported = (field: PassageField) =>
    document.edited_fields.includes(field) ? [] : passagesOf(document.passages, field)
  const links = (field: PassageField) =>
    supported(field)
      .filter((passage) => passage.page !== null)
      .map((passage) => (
        <span key={`${passage.page} ${passage.start}`} className="mr-[0.1em] whitespace-nowrap">
          {' '}
          <PassageLink passage={passage} {...view} />
        </span>
      ))
  return (
    <header className={styles.paperHead}>
      <div className={styles.paperTitle}>
        <h1>
          <Unbroken text={documentTitle(document)} />
        </h1>
        {links('title')} <PaperMarks retracted={document.retracted} withoutFile={document.source_url === null} />
      </div>
      {document.authors.length > 0 ? <Authors names={document.authors}>{links('authors').slice(0, 1)}</Authors> : null}
      <dl className={styles.facts}>
        {journal_name ? (
          <Fact name="Journal">
            {journal_name}
            {links('journal_name')}
          </Fact>
        ) : null}
        {published ? (
          <Fact name="Publication Date">
            <span className="tabular-nums lining-nums">{published}</span>
            {links('publication_date')}
          </Fact>
        ) : null}
        {doi_link ? (
          <Fact name="DOI">
            <a
              className="text-link tabular-nums lining-nums"
              href={doiAddress(doi_link)}
              target="_blank"
              rel="noreferrer"
            >
              {doiText(doi_link)}
            </a>
            {links('doi_link')}
          </Fact>
        ) : null}
        {key ? <Fact name="Citation key">{key}</Fact> : null}
        {document.title?.trim() && document.filename ? (
          <Fact name="Filename">
            {document.source_url === null ? (
              document.filename
            ) : (
              <button type="button" className="text-link text-left" onClick={onRead}>
                {document.filename}
              </button>
            )}
          </Fact>
        ) : null}
      </dl>
    </header>
  )
}

const AUTHORS_SHOWN = 12

/**
 * The authors, at first at most AUTHORS_SHOWN. A button with the number of hidden authors shows all. `children` follow the
 * authors.
 */
function Authors({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const [whole, setWhole] = useState(false)
  const rest = names.length - AUTHORS_SHOWN
  return (
    <p className="mt-3 max-w-216 text-pretty wrap-anywhere">
      {(whole || rest <= 0 ? names : names.slice(0, AUTHORS_SHOWN)).join(', ')}
      {rest > 0 && !whole ? (
        <>
          {' '}
          <button type="button" className="text-link" onClick={() => setWhole(true)}>
            and {grouped(rest)} more
          </button>
        </>
      ) : null}
      {children}
    </p>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
