import { useMutation } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { BOTH_HAVE_FILES, type DuplicateGroup, type DuplicatePaper } from '#shared/contract/duplicates.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Badge } from '#web/ui/marks.tsx'
import { aboutFile, Marked, Value } from './compared-value.tsx'
import { type ComparedRow, comparedRows, defaultChoice } from './compared-rows.ts'
import styles from './duplicates.module.css'
import { acceptDuplicates, joinPapers, postponeDuplicates, refuseDuplicates, undoJoins } from './queries.ts'
import { whySuspected } from './why-suspected.ts'

/**
 * One group of suspected duplicates: the papers side by side, radio buttons for each differing field, and the buttons for the
 * decision.
 */
export function DuplicateGroupCard({
  project,
  group,
  mayEdit,
  isActive,
  onActivate,
  onDone,
}: {
  project: Project
  group: DuplicateGroup
  mayEdit: boolean
  isActive: boolean
  onActivate: () => void
  onDone: () => void
}) {
  const headId = useId()
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const [chosenKeep, setChosenKeep] = useState<string>()
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({})
  const papers = group.papers.filter(({ id }) => !excluded.has(id))
  const withFile = papers.filter((paper) => paper.has_file)
  const mayStay = (paper: DuplicatePaper) => withFile.length === 0 || paper.has_file
  const wanted = papers.find((paper) => paper.id === chosenKeep && mayStay(paper))
  const suggested = papers.find((paper) => paper.id === group.keep_id && mayStay(paper))
  const kept = wanted ?? (withFile.length > 1 ? undefined : (withFile[0] ?? suggested ?? papers[0]))
  const rows = comparedRows(group.papers)
  const choiceOf = (row: ComparedRow) => {
    const chosen = papers.find(({ id }) => id === choices[row.label])
    return chosen?.id ?? defaultChoice(row, papers, kept?.id ?? null)
  }
  const ids = papers.map(({ id }) => id)
  const failed = (error: unknown) => toast({ title: 'Error', description: messageOf(error), destructive: true })
  const undo = (work: () => Promise<void>) => ({ label: 'Undo', run: () => void work().catch(failed) })

  const joining = useMutation({
    mutationFn: () =>
      joinPapers(project.id, {
        keep_id: kept!.id,
        join_ids: ids.filter((id) => id !== kept!.id),
        fields: Object.fromEntries(
          rows
            .filter(({ differs }) => differs)
            .flatMap((row) => row.fields.map((field) => [field, choiceOf(row)] as const)),
        ),
      }),
    onSuccess: ({ joined }) => {
      onDone()
      toast({
        title: `${counted(joined.length + 1, 'paper')} joined`,
        action: undo(() => undoJoins(joined.map(({ id }) => id))),
      })
    },
    onError: failed,
  })
  const refusing = useMutation({
    mutationFn: () => refuseDuplicates(project.id, ids),
    onSuccess: () => {
      onDone()
      toast({ title: 'Not duplicates', action: undo(() => acceptDuplicates(project.id, ids)) })
    },
    onError: failed,
  })
  const postponing = useMutation({
    mutationFn: () => postponeDuplicates(project.id, ids),
    onSuccess: onDone,
    onError: failed,
  })
  const isBusy = joining.isPending || refusing.isPending || postponing.isPending
  const chooseSide = (by: number) => {
    const at = kept ? papers.indexOf(kept) : -1
    const current = papers.find(({ id }) => rows.every((row) => !row.differs || choices[row.label] === id))
    const from = current ? papers.indexOf(current) : by > 0 ? Math.max(at, 0) : at < 0 ? 1 : at
    const side = papers[Math.min(papers.length - 1, Math.max(0, from + by))]!
    if (mayStay(side)) setChosenKeep(side.id)
    setChoices(
      Object.fromEntries(
        rows
          .filter((row) => row.differs && row.values[group.papers.indexOf(side)] !== '')
          .map((row) => [row.label, side.id]),
      ),
    )
  }
  const isWide = group.papers.length > 2

  return (
    <article
      className={cn(styles.group, isWide && styles.wide)}
      aria-labelledby={headId}
      aria-current={isActive ? 'true' : undefined}
      tabIndex={-1}
      onFocus={onActivate}
      onPointerDown={onActivate}
    >
      <header className={styles.groupHead}>
        <h2 id={headId}>
          <span className="sr-only">{documentTitle(group.papers[0]!)}: </span>
          {whySuspected(group.because)}
        </h2>
        {group.because.likeness === 'preprint and article' ? <Badge>Preprint and article</Badge> : null}
        {group.is_later ? <Badge tone="quiet">Later</Badge> : null}
      </header>
      <div
        className="overflow-x-auto"
        style={{ '--papers': group.papers.length } as React.CSSProperties}
        {...(isWide ? { tabIndex: 0, role: 'region', 'aria-label': 'Papers side by side' } : {})}
      >
        <div className={cn(styles.row, styles.head)} role="radiogroup" aria-label="Stays">
          <span className={styles.label}>Stays</span>
          {group.papers.map((paper) => (
            <Value
              key={paper.id}
              name={`${headId} stays`}
              isChosen={paper.id === kept?.id}
              mayChoose={mayEdit && mayStay(paper) && !excluded.has(paper.id)}
              isMuted={excluded.has(paper.id)}
              onChoose={() => setChosenKeep(paper.id)}
            >
              <b>{paper.reference['citation-key'] ?? documentTitle(paper)}</b>
              <small>{aboutFile(paper)}</small>
            </Value>
          ))}
        </div>
        {isWide && mayEdit ? (
          <div className={styles.row}>
            <span className={styles.label}>In this group</span>
            {group.papers.map((paper) => (
              <label key={paper.id} className={styles.value}>
                <input
                  type="checkbox"
                  checked={!excluded.has(paper.id)}
                  disabled={!excluded.has(paper.id) && papers.length === 2}
                  onChange={({ target }) => {
                    const next = new Set(excluded)
                    if (target.checked) next.delete(paper.id)
                    else next.add(paper.id)
                    setExcluded(next)
                  }}
                />
                <span>{excluded.has(paper.id) ? 'Left out' : 'Included'}</span>
              </label>
            ))}
          </div>
        ) : null}
        {rows.map((row) =>
          row.differs ? (
            <div key={row.label} className={cn(styles.row, styles.differs)} role="radiogroup" aria-label={row.label}>
              <span className={styles.label}>{row.label}</span>
              {group.papers.map((paper, at) => (
                <Value
                  key={paper.id}
                  name={`${headId} ${row.label}`}
                  isChosen={choiceOf(row) === paper.id}
                  mayChoose={mayEdit && !excluded.has(paper.id)}
                  isMuted={mayEdit && choiceOf(row) !== paper.id}
                  isTitle={row.isTitle}
                  onChoose={() => setChoices({ ...choices, [row.label]: paper.id })}
                >
                  <Marked row={row} at={at} />
                </Value>
              ))}
            </div>
          ) : (
            <div key={row.label} className={styles.row}>
              <span className={styles.label}>{row.label}</span>
              <span className={cn(styles.same, row.isTitle && styles.title)}>{row.values[0]}</span>
            </div>
          ),
        )}
      </div>
      {group.paper_count > group.papers.length ? (
        <p className="pb-2 text-meta text-muted-foreground">
          {counted(group.paper_count - group.papers.length, 'more paper')} after these.
        </p>
      ) : null}
      {mayEdit && !kept ? (
        <p className={styles.need}>
          <TriangleAlert aria-hidden />
          {BOTH_HAVE_FILES}
        </p>
      ) : null}
      {mayEdit ? (
        <div className={styles.actions}>
          <Button
            size="sm"
            variant={isActive ? 'primary' : 'outline'}
            disabled={isBusy || !kept}
            data-key="j"
            aria-keyshortcuts="j"
            onClick={() => joining.mutate()}
          >
            Join
            <Key isShown={isActive}>J</Key>
          </Button>
          <Button size="sm" disabled={isBusy} data-key="n" aria-keyshortcuts="n" onClick={() => refusing.mutate()}>
            Not duplicates
            <Key isShown={isActive}>N</Key>
          </Button>
          <Button
            size="sm"
            variant="ghost"
            disabled={isBusy}
            data-key="l"
            aria-keyshortcuts="l"
            onClick={() => postponing.mutate()}
          >
            Later
            <Key isShown={isActive}>L</Key>
          </Button>
          <button type="button" hidden data-key="arrowleft" onClick={() => chooseSide(-1)}>
            Choose the paper before
          </button>
          <button type="button" hidden data-key="arrowright" onClick={() => chooseSide(1)}>
            Choose the paper after
          </button>
        </div>
      ) : null}
    </article>
  )
}

const Key = ({ isShown, children }: { isShown: boolean; children: string }) =>
  isShown ? (
    <kbd className="max-md:hidden" aria-hidden>
      {children}
    </kbd>
  ) : null
