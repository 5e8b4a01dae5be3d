import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { type AnswerScope, MOST_SCOPE_TAGS } from '#shared/contract/conversations.ts'
import type { Project } from '#shared/contract/projects.ts'
import { documentFiltersQuery } from '#web/documents/index.ts'
import { scopeWords } from '#web/lib/scope-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { MenuNote, OptionRow, OptionsLegend } from '#web/ui/dropdown-menu.tsx'
import { Popover } from '#web/ui/popover.tsx'
import styles from './conversations.module.css'
import { PaperPicker } from './paper-picker.tsx'
import type { AskSettings } from './running-answer.ts'

interface ScopeControlProps {
  project: Project
  settings: AskSettings
  model: string
  onChange: (settings: AskSettings) => void
}

/**
 * The line above the question field: which papers to answer from, whether to leave out retracted papers, and the name of the
 * model.
 */
export function ScopeControl({ project, settings, model, onChange }: ScopeControlProps) {
  const [isOpen, setOpen] = useState(false)
  const [isPicking, setPicking] = useState(false)
  const { scope, leaveOutRetracted } = settings
  const id = useId()
  const choose = (next: AnswerScope) => onChange({ ...settings, scope: next })
  const total = project.document_count
  return (
    <div className={styles.scope}>
      <span className="text-muted-foreground max-md:hidden">Answer from</span>
      <Popover
        label="Answer from"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button size="sm" aria-label={`Answer from: ${scopeWords(scope, total)}`} className={styles.scopeButton}>
            <span>{scopeWords(scope, total)}</span>
            <ChevronDown data-trailing aria-hidden />
          </Button>
        }
      >
        <button
          type="button"
          className={styles.scopeChoice}
          aria-pressed={scope.kind === 'all'}
          onClick={() => {
            choose({ kind: 'all' })
            setOpen(false)
          }}
        >
          All papers
        </button>
        <button
          type="button"
          className={styles.scopeChoice}
          aria-pressed={scope.kind === 'papers'}
          onClick={() => {
            setOpen(false)
            setPicking(true)
          }}
        >
          {scope.kind === 'papers' ? scopeWords(scope, total) : 'Choose papers…'}
        </button>
        <TagChoices project={project} scope={scope} onChoose={choose} />
      </Popover>
      <div className="inline-flex items-center gap-1.75 max-md:min-h-11">
        <Checkbox
          id={id}
          checked={leaveOutRetracted}
          onChange={(next) => onChange({ ...settings, leaveOutRetracted: next })}
        />
        <label htmlFor={id}>Leave out retracted papers</label>
      </div>
      <span className="ml-auto min-w-0 truncate text-muted-foreground max-md:hidden">{model}</span>
      {isPicking ? (
        <PaperPicker
          project={project}
          chosen={scope.kind === 'papers' ? scope.document_ids : []}
          onClose={() => setPicking(false)}
          onChoose={(ids) => {
            choose(ids.length === 0 ? { kind: 'all' } : { kind: 'papers', document_ids: ids })
            setPicking(false)
          }}
        />
      ) : null}
    </div>
  )
}

function TagChoices({
  project,
  scope,
  onChoose,
}: {
  project: Project
  scope: AnswerScope
  onChoose: (scope: AnswerScope) => void
}) {
  const filters = useQuery(documentFiltersQuery(project.id))
  const chosen = scope.kind === 'tags' ? scope.tags : []
  const isFull = chosen.length >= MOST_SCOPE_TAGS
  const tags = filters.data?.tags
  const toggle = (name: string) => {
    const next = chosen.includes(name) ? chosen.filter((tag) => tag !== name) : [...chosen, name]
    onChoose(next.length === 0 ? { kind: 'all' } : { kind: 'tags', tags: next })
  }
  return (
    <fieldset className="max-h-64 overflow-y-auto">
      <OptionsLegend>Papers with a tag</OptionsLegend>
      {isFull ? <MenuNote>{MOST_SCOPE_TAGS} tags at most</MenuNote> : null}
      {tags?.map(({ name, document_count }) => (
        <TagChoice
          key={name}
          name={name}
          count={document_count}
          isChosen={chosen.includes(name)}
          isFull={isFull}
          onToggle={() => toggle(name)}
        />
      ))}
      {tags?.length === 0 ? <MenuNote>No tags found.</MenuNote> : null}
      {filters.isError ? <MenuNote>The tags could not be loaded.</MenuNote> : null}
    </fieldset>
  )
}

function TagChoice({
  name,
  count,
  isChosen,
  isFull,
  onToggle,
}: {
  name: string
  count: number
  isChosen: boolean
  isFull: boolean
  onToggle: () => void
}) {
  const id = useId()
  return (
    <OptionRow count={count}>
      <Checkbox id={id} checked={isChosen} disabled={isFull && !isChosen} onChange={onToggle} />
      <label htmlFor={id} className="min-w-0 flex-1">
        {name}
      </label>
    </OptionRow>
  )
}
