import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import type { EditableField } from '#shared/documents.ts'
import type { FoundPaper, LookupAnswer } from '#shared/papers.ts'
import { messageOf } from '#web/lib/api.ts'
import { publicationDate } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice, Choices } from '#web/ui/choice.tsx'
import { Compare } from '#web/ui/compare.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { Badge, Waiting } from '#web/ui/marks.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import { chosenFields, compareFields, firstChoice, NOW, type LookedUpFields } from './lookup-fields.ts'
import { lookupQuery } from './queries.ts'

/** What somebody chose of a found paper. */
export interface Chosen {
  fields: Partial<LookedUpFields>
  semantic_paperid: string | null
  retracted: boolean
}

interface Props {
  documentId: string
  /** What the fields hold now, saved or not. */
  now: LookedUpFields
  /** The fields of `now` that a person edited. They are named, and nothing is chosen in their place. */
  edited: readonly EditableField[]
  /** A DOI or title to begin with; without it what the document says of itself. */
  query?: string | undefined
  /** The words of the button that takes what was chosen. */
  action: string
  busy?: boolean
  onChoose: (chosen: Chosen) => void
  onClose: () => void
}

/** OpenAlex and Crossref are asked for a paper, and what they say stands beside what is there, field by field. */
export function LookupDialog({ documentId, query: first, onClose, ...rest }: Props) {
  const [query, setQuery] = useState(first?.trim() || undefined)
  const [typed, setTyped] = useState<string>()
  const [picked, setPicked] = useState(0)
  const answer = useQuery(lookupQuery(documentId, query))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // The form of the page below is not meant.
    event.stopPropagation()
    const wanted = (typed ?? answer.data?.query ?? query ?? '').trim()
    if (!wanted) return
    setPicked(0)
    if (wanted === query) void answer.refetch()
    else setQuery(wanted)
  }
  const papers = answer.data?.papers ?? []
  const paper = papers[picked]
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      wide
      title="Look up"
      about="OpenAlex and Crossref are asked for this paper. Nothing changes until you choose."
    >
      <div className="body lookup">
        <form onSubmit={submit} className="lookup-ask" aria-label="Look up a paper">
          <Field label="DOI or title">
            {(ids) => (
              <Input
                {...ids}
                icon={<Search className="ic" aria-hidden />}
                autoComplete="off"
                value={typed ?? answer.data?.query ?? query ?? ''}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" disabled={answer.isFetching}>
            Look up
          </Button>
        </form>
        {answer.isFetching ? (
          <Waiting>Asking OpenAlex and Crossref…</Waiting>
        ) : answer.error ? (
          <div className="lookup-none" role="alert">
            <p>{messageOf(answer.error)}</p>
            <Button size="sm" onClick={() => void answer.refetch()}>
              Retry
            </Button>
          </div>
        ) : (
          <Failures answer={answer.data} />
        )}
        {!answer.isFetching && answer.data ? (
          paper ? (
            <>
              {papers.length > 1 ? <Papers papers={papers} picked={picked} onPick={setPicked} /> : null}
              <Fields key={`${query} ${picked}`} paper={paper} {...rest} onClose={onClose} />
            </>
          ) : (
            <p className="lookup-none">
              {answer.data.by === 'doi'
                ? 'No paper with this DOI is known there. Try its title.'
                : 'No paper with this title is known there. Try other words of it, or its DOI.'}
            </p>
          )
        ) : null}
      </div>
      {paper && !answer.isFetching ? null : (
        <DialogActions>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </DialogActions>
      )}
    </Dialog>
  )
}

const Failures = ({ answer }: { answer: LookupAnswer | undefined }) =>
  answer && answer.failures.length > 0 ? (
    <p className="quiet text-meta" role="status">
      {answer.failures.map(({ message }) => message).join(' ')} What the other one says is shown.
    </p>
  ) : null

/** Several papers have such a title: which of them is it? */
function Papers({
  papers,
  picked,
  onPick,
}: {
  papers: readonly FoundPaper[]
  picked: number
  onPick: (at: number) => void
}) {
  return (
    <Choices label="Which paper is it?" value={String(picked)} onChange={(value) => onPick(Number(value))}>
      {papers.map(({ said, retracted }, at) => {
        const { title, authors, journal_name, publication_date } = said[0]!.facts
        const about = [authors[0] && (authors.length > 1 ? `${authors[0]} et al.` : authors[0]), journal_name]
        return (
          <Choice
            key={`${at} ${title}`}
            value={String(at)}
            title={title}
            badge={retracted ? <PaperMarks retracted /> : null}
          >
            {[...about, publication_date && publicationDate(publication_date)].filter(Boolean).join(' · ')}
          </Choice>
        )
      })}
    </Choices>
  )
}

function Fields({
  paper,
  now,
  edited,
  action,
  busy = false,
  onChoose,
  onClose,
}: Pick<Props, 'now' | 'edited' | 'action' | 'busy' | 'onChoose' | 'onClose'> & { paper: FoundPaper }) {
  const [choices, setChoices] = useState<ReadonlyMap<string, string>>(new Map())
  const fields = compareFields(now, paper, edited)
  const chosen = chosenFields(fields, choices)
  const count = Object.keys(chosen).length
  const { semantic_paperid, retracted } = paper
  const all = new Map(
    fields.map((field) => [field.name as string, field.options.find((one) => one.value !== NOW)!.value]),
  )
  return (
    <>
      {retracted ? (
        <p className="trouble" role="status">
          This paper was retracted. It is marked so wherever it appears.
        </p>
      ) : null}
      {fields.length === 0 ? (
        <p className="lookup-none">Nothing differs from what is there.</p>
      ) : (
        <div className="lookup-fields">
          {fields.map((field) => (
            <section key={field.name}>
              <h3>
                {field.label} {field.edited ? <Badge>Edited by you</Badge> : null}
              </h3>
              <Compare
                label={field.label}
                value={choices.get(field.name) ?? firstChoice(field)}
                onChange={(value) => setChoices(new Map([...choices, [field.name, value]]))}
                options={field.options}
                reading={field.name === 'title' || field.name === 'abstract'}
              />
            </section>
          ))}
        </div>
      )}
      <DialogActions>
        {fields.length > 0 ? (
          <Button variant="ghost" className="lookup-all" onClick={() => setChoices(all)}>
            Choose all found
          </Button>
        ) : null}
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="primary"
          disabled={busy}
          onClick={() => onChoose({ fields: chosen, semantic_paperid, retracted })}
        >
          {busy ? 'Saving...' : count === 0 ? 'Keep what is there' : `${action} (${count})`}
        </Button>
      </DialogActions>
    </>
  )
}
