import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ChosenPlace, LEAST_CHOSEN, type LostEvidence } from '#shared/contract/evidence.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import styles from './evidence.module.css'
import { choosePlace, similarPlacesQuery } from './queries.ts'

/** A quote without a place: its paper, its last page, and the choice of another place. */
export function LostPlace({ project, lost }: { project: Project; lost: LostEvidence }) {
  const [isOpen, setOpen] = useState(false)
  const mayChoose = useMay('ask') && lost.is_mine
  return (
    <li className={styles.place}>
      <p className={styles.quote}>“{lost.quote}”</p>
      <p className={styles.paper}>
        <Link to={pages.document(project.address, lost.document_id)} className="text-link">
          {lost.title ?? lost.filename}
        </Link>
        {lost.page === null ? null : <span>formerly p. {lost.page}</span>}
      </p>
      {mayChoose ? (
        <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Choose a place
        </Button>
      ) : null}
      {isOpen ? <Choice project={project} lost={lost} /> : null}
    </li>
  )
}

function Choice({ project, lost }: { project: Project; lost: LostEvidence }) {
  const similar = useQuery(similarPlacesQuery(lost.id))
  const [words, setWords] = useState('')
  const [error, setError] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const choose = async (place: ChosenPlace) => {
    setSaving(true)
    await choosePlace(project.id, lost.id, place).then(
      () => toast({ title: 'Place chosen' }),
      (failure: unknown) => {
        setError(messageOf(failure))
        setSaving(false)
      },
    )
  }
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    void choose({ quote: words })
  }
  return (
    <div className={styles.choice}>
      {similar.isPending ? (
        <SpinnerRow>
          <Spinner label="Loading similar passages" />
        </SpinnerRow>
      ) : null}
      {similar.isError ? <p className={styles.note}>The similar passages could not be loaded.</p> : null}
      {similar.data?.length === 0 ? <p className={styles.note}>The text has no similar passage.</p> : null}
      {similar.data && similar.data.length > 0 ? (
        <ul className={styles.similar} aria-label="Similar passages">
          {similar.data.map(({ quote, prefix, suffix, page, start }) => (
            <li key={`${page} ${start} ${quote}`}>
              <p>
                {page === null ? null : <span className={styles.page}>p. {page}</span>}
                <span className={styles.around}>{prefix}</span>
                <b>{quote}</b>
                <span className={styles.around}>{suffix}</span>
              </p>
              <Button size="sm" disabled={isSaving} onClick={() => void choose({ quote, prefix, suffix, page })}>
                Use this passage
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <form className={styles.form} onSubmit={submit}>
        <Field label="Other words of the paper" error={error}>
          {(ids) => <Input {...ids} value={words} maxLength={6000} onChange={({ target }) => setWords(target.value)} />}
        </Field>
        <Button type="submit" disabled={isSaving || words.trim().length < LEAST_CHOSEN}>
          Use these words
        </Button>
      </form>
    </div>
  )
}
