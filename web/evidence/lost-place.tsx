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
import { choosePlace, similarPlacesQuery } from './queries.ts'

/**
 * A quote that the newest text of its paper does not contain: the quote, its paper and former page, and a button to choose
 * another place.
 */
export function LostPlace({ project, lost }: { project: Project; lost: LostEvidence }) {
  const [isOpen, setOpen] = useState(false)
  const mayChoose = useMay('ask') && lost.is_mine
  return (
    <li className="grid justify-items-start gap-2 border-t border-border pt-4.5 pb-5 first:border-t-0">
      <p className="max-w-2xl font-serif text-[1rem] leading-6 wrap-anywhere whitespace-pre-line">“{lost.quote}”</p>
      <p className="flex flex-wrap gap-x-3.5 text-meta text-muted-foreground">
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
    <div className="grid w-full max-w-184 gap-3 border-l border-border pl-3.5">
      {similar.isPending ? (
        <SpinnerRow>
          <Spinner label="Loading similar passages" />
        </SpinnerRow>
      ) : null}
      {similar.isError ? (
        <p className="mb-3 text-meta text-muted-foreground">The similar passages could not be loaded.</p>
      ) : null}
      {similar.data?.length === 0 ? (
        <p className="mb-3 text-meta text-muted-foreground">The text has no similar passage.</p>
      ) : null}
      {similar.data && similar.data.length > 0 ? (
        <ul aria-label="Similar passages">
          {similar.data.map(({ quote, prefix, suffix, page, start }) => (
            <li
              key={`${page} ${start} ${quote}`}
              className="flex items-start justify-between gap-4 py-2 wrap-anywhere max-md:flex-col max-md:gap-2"
            >
              <p className="font-serif text-[1rem] leading-6">
                {page === null ? null : (
                  <span className="mr-3 font-sans text-meta text-muted-foreground">p. {page}</span>
                )}
                <span className="text-muted-foreground">{prefix}</span>
                <b className="font-[620]">{quote}</b>
                <span className="text-muted-foreground">{suffix}</span>
              </p>
              <Button size="sm" disabled={isSaving} onClick={() => void choose({ quote, prefix, suffix, page })}>
                Use this passage
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <form className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2 max-md:grid-cols-1" onSubmit={submit}>
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
