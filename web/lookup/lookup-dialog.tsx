import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import type { EditedField } from '#shared/contract/documents.ts'
import type { FoundPaper, LookedUpReference, LookupAnswer } from '#shared/contract/lookup.ts'
import { messageOf } from '#web/lib/api.ts'
import { dateText } from '#web/lib/date-text.ts'
import { publicationDate } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice, Choices } from '#web/ui/choice.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Compare } from '#web/ui/compare.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { Alert, Badge, Waiting } from '#web/ui/marks.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import {
  chosenFields,
  compareFields,
  type ComparedValues,
  firstChoice,
  NOW,
  factsToStore,
  type LookedUpFields,
} from './lookup-fields.ts'
import styles from './lookup.module.css'
import { lookupQuery } from './queries.ts'

/** The values that the user chose from the metadata of a found paper. */
export interface Chosen {
  fields: Partial<LookedUpFields>
  /** Fields that exist only in the bibliographic reference of the document, for example the volume. */
  reference: LookedUpReference
  semantic_paperid: string | null
  retracted: boolean
}

interface Props {
  documentId: string
  /** The current values of the document, including unsaved ones. */
  now: ComparedValues
  /** Fields of `now` that the user has edited. They are marked, and the current value is preselected. */
  edited: readonly EditedField[]
  /** Whether the document is marked as retracted. */
  retracted: boolean
  /** The DOI or title of the first search. The default is the DOI or title of the document. */
  query?: string | undefined
  /** Label of the button that applies the chosen values. */
  action: string
  busy?: boolean
  onChoose: (chosen: Chosen) => void
  onClose: () => void
}

/** The dialog that looks up a paper at OpenAlex and Crossref and compares each field with the current value of the document. */
export function LookupDialog({ documentId, query: first, onClose, ...rest }: Props) {
  const [query, setQuery] = useState(first?.trim() || undefined)
  const [typed, setTyped] = useState<string>()
  const [picked, setPicked] = useState(0)
  const answer = useQuery(lookupQuery(documentId, query))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // Prevents a submit of the form of the page below, to which React bubbles the event.
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
      about="Searches OpenAlex and Crossref for this paper. Nothing changes until you choose."
    >
      <div className={cn(styles.section, 'mt-4.5')}>
        <form
          onSubmit={submit}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2"
          aria-label="Look up a paper"
        >
          <Field label="DOI or title">
            {(ids) => (
              <Input
                {...ids}
                icon={<Search aria-hidden />}
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
          <Waiting>Searching OpenAlex and Crossref…</Waiting>
        ) : answer.error ? (
          <div className={styles.nothingFound} role="alert">
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
            <p className={styles.nothingFound}>
              {answer.data.by === 'doi'
                ? 'No paper with this DOI was found. Try its title.'
                : 'No paper with this title was found. Try other words of it, or its DOI.'}
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
    <p className="text-muted-foreground text-meta" role="status">
      {answer.failures.map(({ message }) => message).join(' ')} The result of the other service is shown.
    </p>
  ) : null

/** The list from which the user chooses, if several papers match a title. */
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
        const { title, authors, journal_name, publication_date, reference } = said[0]!.facts
        const date = publication_date ? publicationDate(publication_date) : dateText(reference.issued)
        const about = [authors[0] && (authors.length > 1 ? `${authors[0]} et al.` : authors[0]), journal_name]
        return (
          <Choice
            key={`${at} ${title}`}
            value={String(at)}
            title={title}
            badge={retracted ? <PaperMarks retracted /> : null}
          >
            {[...about, date].filter(Boolean).join(' · ')}
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
  retracted: isMarked,
  action,
  busy = false,
  onChoose,
  onClose,
}: Pick<Props, 'now' | 'edited' | 'retracted' | 'action' | 'busy' | 'onChoose' | 'onClose'> & { paper: FoundPaper }) {
  const [choices, setChoices] = useState<ReadonlyMap<string, string>>(new Map())
  const fields = compareFields(now, paper, edited)
  const chosen = chosenFields(fields, choices)
  const count = Object.keys({ ...chosen.fields, ...chosen.reference }).length
  const { retracted } = paper
  const all = new Map(
    fields.map((field) => [field.name as string, field.options.find((one) => one.value !== NOW)!.value]),
  )
  return (
    <>
      {retracted ? (
        <Alert role="status">This paper was retracted. It is marked as retracted wherever it appears.</Alert>
      ) : null}
      {fields.length === 0 ? (
        <p className={styles.nothingFound}>All fields are the same as the current ones.</p>
      ) : (
        <div className={styles.fields}>
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
          <Button variant="ghost" className="mr-auto max-md:flex-[1_0_100%]" onClick={() => setChoices(all)}>
            Choose all found
          </Button>
        ) : null}
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="primary"
          disabled={busy}
          onClick={() => onChoose({ ...chosen, ...factsToStore(paper, fields, { count, isMarked }) })}
        >
          {busy ? 'Saving...' : count === 0 ? 'Keep current values' : `${action} (${count})`}
        </Button>
      </DialogActions>
    </>
  )
}
