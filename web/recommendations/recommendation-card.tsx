import { Link } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Recommendation } from '#shared/contract/recommendations.ts'
import { publicationDate } from '#web/lib/dates.ts'
import { useMay } from '#web/lib/rights.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { useAdd, useChange } from './queries.ts'
import styles from './recommendations.module.css'
import { sourceWords, whyWords } from './why-words.ts'

/** A card with a recommended paper. After the paper is dismissed or added, a single line replaces the card. */
export function RecommendationCard({ project, row }: { project: Project; row: Recommendation }) {
  const id = useId()
  const changing = useChange(row.id)
  const adding = useAdd()
  const mayEdit = useMay('edit')
  if (row.status === 'rejected')
    return (
      <Gone words="Dismissed" title={row.title}>
        {mayEdit ? (
          <Button size="sm" onClick={() => changing.mutate({ row, status: 'pending' })}>
            Undo
          </Button>
        ) : null}
      </Gone>
    )
  if (row.document_id)
    return (
      <Gone words="Added to project" title={row.title}>
        <Button size="sm" asChild>
          <Link to={pages.document(project.address, row.document_id)}>Open document</Link>
        </Button>
      </Gone>
    )
  const { title, abstract, doi_link: doi, pdf_link: pdf, publication_date: date, why } = row
  const address = doi ?? row.link
  const source = sourceWords(row)
  const words = whyWords(row)
  return (
    <article className={styles.card} aria-labelledby={id}>
      <h2 id={id}>{address ? <Outside to={address}>{title}</Outside> : title}</h2>
      {source ? <p className={styles.source}>{source}</p> : null}
      {abstract ? (
        <Abstract text={abstract} />
      ) : (
        <p className={cn(styles.abstract, styles.missing, 'text-muted-foreground')}>
          OpenAlex has no abstract of this paper.
        </p>
      )}
      {words || why?.like ? (
        <p className={styles.reason}>
          <b>Why</b>
          <span>
            {words}
            {why?.like ? (
              <>
                {' Like '}
                <Link to={pages.document(project.address, why.like.document_id)}>{why.like.title}</Link>.
              </>
            ) : null}
          </span>
        </p>
      ) : null}
      <div className={styles.actions}>
        {date ? <time dateTime={date}>{publicationDate(date)}</time> : null}
        {doi ? (
          <Outside to={doi} label={`DOI of ${title}`}>
            DOI
          </Outside>
        ) : null}
        {pdf ? (
          <Outside to={pdf} label={`PDF of ${title}`}>
            PDF
          </Outside>
        ) : null}
        {mayEdit ? (
          <span className={styles.buttons}>
            <Button variant="ghost" size="sm" onClick={() => changing.mutate({ row, status: 'rejected' })}>
              Dismiss
            </Button>
            <Button size="sm" disabled={adding.isPending} onClick={() => adding.mutate(row)}>
              {adding.isPending ? 'Adding…' : 'Add to project'}
            </Button>
          </span>
        ) : null}
      </div>
    </article>
  )
}

/** The abstract, cut off after a few lines. A button 'Show more' appears if the abstract does not fit into these lines. */
function Abstract({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  const [isCut, setIsCut] = useState(false)
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const paragraph = place.current
    if (!paragraph || whole) return
    const measure = new ResizeObserver(() => setIsCut(paragraph.scrollHeight > paragraph.clientHeight + 1))
    measure.observe(paragraph)
    return () => measure.disconnect()
  }, [whole, text])
  return (
    <>
      <p className={whole ? cn(styles.abstract, styles.whole) : styles.abstract} ref={place}>
        {text}
      </p>
      {isCut ? (
        <button type="button" className={styles.moreButton} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : 'Show more'}
        </button>
      ) : null}
    </>
  )
}

const Outside = ({ to, label, children }: { to: string; label?: string; children: string }) => (
  <a className={label ? 'text-link' : undefined} href={to} target="_blank" rel="noopener noreferrer" aria-label={label}>
    {children}
  </a>
)

/** The line that replaces a dismissed or added card. It gets the focus, because the clicked button is removed with the card. */
function Gone({ words, title, children }: { words: string; title: string; children: ReactNode }) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => place.current?.querySelector<HTMLElement>('button, a')?.focus({ preventScroll: true }), [])
  return (
    <article className={cn(styles.card, styles.dismissed)} ref={place} aria-label={title}>
      <p>
        <b>{words}</b>
        <span>{title}</span>
      </p>
      {children}
    </article>
  )
}
