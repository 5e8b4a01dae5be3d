import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { MOST_SCOPE_PAPERS } from '#shared/contract/conversations.ts'
import { documentTitle, type ListedDocument } from '#shared/contract/documents.ts'
import type { Project } from '#shared/contract/projects.ts'
import { documentsQuery } from '#web/documents/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { useRestedWords } from '#web/lib/use-rested-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Input } from '#web/ui/field.tsx'
import { Alert, Waiting } from '#web/ui/marks.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import styles from './conversations.module.css'

const PAPERS_SHOWN = 50

/** The dialog in which the user chooses the papers from which a question is answered. */
export function PaperPicker({
  project,
  chosen,
  onClose,
  onChoose,
}: {
  project: Project
  chosen: readonly string[]
  onClose: () => void
  onChoose: (ids: string[]) => void
}) {
  const [ids, setIds] = useState(chosen)
  const [search, setSearch] = useState('')
  const [words, setWords] = useRestedWords(search, setSearch)
  const list = useQuery(documentsQuery({ project_id: project.id, search: search.trim(), limit: PAPERS_SHOWN }))
  const rows = list.data?.data
  const toggle = (id: string, isChosen: boolean) =>
    setIds((before) => (isChosen ? [...before, id] : before.filter((one) => one !== id)))
  const isFull = ids.length >= MOST_SCOPE_PAPERS
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title="Choose papers"
      about="The answer is written from these papers only."
    >
      <Input
        className="mt-4"
        type="text"
        inputMode="search"
        aria-label="Search papers"
        placeholder="Search papers…"
        autoFocus
        icon={<Search aria-hidden />}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      {list.error ? <Alert>{messageOf(list.error)}</Alert> : null}
      {!rows && !list.error ? <Waiting>Loading the papers</Waiting> : null}
      {rows?.length === 0 ? <p className="mt-3 text-meta text-muted-foreground">No paper matches.</p> : null}
      <ul className={styles.picker}>
        {rows?.map((row) => (
          <PaperChoice
            key={row.id}
            row={row}
            isChosen={ids.includes(row.id)}
            isFull={isFull}
            onToggle={(next) => toggle(row.id, next)}
          />
        ))}
      </ul>
      {rows && list.data!.count > rows.length ? (
        <p className="mt-3 text-meta text-muted-foreground">
          The first {rows.length} of {list.data!.count} papers. Search for the others.
        </p>
      ) : null}
      <DialogActions
        note={
          <>
            {isFull ? `${MOST_SCOPE_PAPERS} papers at most` : counted(ids.length, 'chosen paper')}
            {ids.length > 0 ? (
              <Button variant="ghost" size="sm" onClick={() => setIds([])}>
                Clear
              </Button>
            ) : null}
          </>
        }
      >
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" onClick={() => onChoose([...ids])}>
          {ids.length === 0 ? 'Use all papers' : `Use ${counted(ids.length, 'paper')}`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function PaperChoice({
  row,
  isChosen,
  isFull,
  onToggle,
}: {
  row: ListedDocument
  isChosen: boolean
  isFull: boolean
  onToggle: (isChosen: boolean) => void
}) {
  const id = `paper-${row.id}`
  const facts = [row.authors.slice(0, 3).join(', ') + (row.authors.length > 3 ? ' …' : ''), row.ref_year].filter(
    Boolean,
  )
  return (
    <li>
      <Checkbox id={id} checked={isChosen} disabled={isFull && !isChosen} onChange={onToggle} />
      <label htmlFor={id}>
        <b>{documentTitle(row)}</b> <PaperMarks retracted={row.retracted} />
        <span>{facts.join(' · ')}</span>
      </label>
    </li>
  )
}
