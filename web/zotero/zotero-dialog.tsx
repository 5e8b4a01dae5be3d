import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import {
  zoteroChoice,
  type ZoteroImport,
  type ZoteroInterval,
  type ZoteroSync,
  type ZoteroTree,
} from '#shared/contract/zotero.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { startJob } from '#web/lib/jobs.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, FieldError, FieldHint } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { Select } from '#web/ui/select.tsx'
import { CollectionTree } from './collection-tree.tsx'
import { ConnectForm } from './connect-form.tsx'
import { announceEnd } from './announce-end.ts'
import { INTERVAL_OPTIONS, UNCHANGED } from './intervals.ts'
import { connectionQuery, syncsQuery, treeQuery } from './queries.ts'
import {
  type Choice,
  choose,
  countOf,
  NOTHING,
  replacedBy,
  requestOf,
  selectionOf,
  withDescendants,
} from './selection.ts'
import { SyncList } from './sync-list.tsx'
import styles from './zotero.module.css'

/**
 * The dialog 'From Zotero…'. The user selects libraries and collections to import into the project, and changes the schedules
 * of earlier imports.
 */
export function ZoteroDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const connection = useQuery(connectionQuery)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="From Zotero"
      wide={Boolean(connection.data)}
      about={
        connection.data ? (
          <>
            Connected as {connection.data.username}, key •••• {connection.data.last_four} ·{' '}
            <Link className="text-link" to={pages.zoteroSettings()}>
              Settings
            </Link>
          </>
        ) : (
          'Import papers from your libraries in Zotero.'
        )
      }
    >
      {connection.isPending ? (
        <Skeleton height="8rem" />
      ) : connection.isLoadingError ? (
        <Failed message={messageOf(connection.error)} onRetry={() => void connection.refetch()} />
      ) : connection.data ? (
        <Choices project={project} onClose={onClose} />
      ) : (
        <div className="mt-4">
          <ConnectForm />
        </div>
      )}
    </Dialog>
  )
}

const Failed = ({ message, onRetry }: { message: string; onRetry: () => void }) => (
  <div className="mt-4 flex flex-wrap items-center gap-3">
    <FieldError className="mt-0" role="alert">
      {message}
    </FieldError>
    <Button size="sm" onClick={onRetry}>
      Retry
    </Button>
  </div>
)

const CHANGED = 'Another member changed what is imported from this library. The list shows the present choice.'
const seenOf = (sync: ZoteroSync | undefined) => (sync ? zoteroChoice.parse(sync) : null)

function Choices({ project, onClose }: { project: Project; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const trees = useQuery(treeQuery)
  const syncs = useQuery(syncsQuery(project.id))
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const [withSubcollections, setWithSubcollections] = useState(true)
  const [withPdfs, setWithPdfs] = useState(true)
  const [withTags, setWithTags] = useState(true)
  const [synchronize, setSynchronize] = useState<ZoteroInterval>()
  const [error, setError] = useState<string>()
  const [isStarting, setIsStarting] = useState(false)
  const libraries = trees.data ?? []
  const chosen = requestOf(libraries, choices, withSubcollections)
  const syncOf = (library: string) => syncs.data?.find((one) => one.library === library)
  const body = {
    ...chosen,
    project_id: project.id,
    libraries: chosen.libraries.map((one) => ({ ...one, ...(syncs.data && { seen: seenOf(syncOf(one.library)) }) })),
    with_pdfs: withPdfs,
    with_tags: withTags,
    ...(synchronize && { synchronize }),
  } satisfies ZoteroImport
  const intervals = body.libraries.some((one) => syncOf(one.library))
    ? [UNCHANGED, ...INTERVAL_OPTIONS]
    : INTERVAL_OPTIONS
  const counts = libraries.map((tree) => countOf(tree, choices.get(tree.library) ?? NOTHING))
  const count = counts.reduce((sum, one) => sum + one.count, 0)
  const amount = `${counts.every((one) => one.isExact) ? '' : 'up to '}${counted(count, 'paper')}`

  const start = async () => {
    setIsStarting(true)
    setError(undefined)
    try {
      const job = await startJob(client, api.zoteroImports(), body)
      void announceEnd(job, project.address, (to) => void navigate({ to }))
      void client.invalidateQueries(syncsQuery(project.id))
      toast({ title: 'Import from Zotero started' })
      onClose()
    } catch (failure) {
      const isChanged = failure instanceof ApiError && failure.code === 'changed'
      if (isChanged) void client.invalidateQueries(syncsQuery(project.id))
      setError(isChanged ? CHANGED : messageOf(failure))
      setIsStarting(false)
    }
  }
  const select = (tree: ZoteroTree, key: string | null, checked: boolean) => {
    const { library } = tree
    // The first click in a library adds to the choice of its earlier import.
    const sync = choices.has(library) ? undefined : syncOf(library)
    const before = sync ? selectionOf(tree, sync) : (choices.get(library) ?? NOTHING)
    const isFirst = sync !== undefined && choices.size === 0
    if (isFirst) {
      setWithSubcollections(sync.with_subcollections)
      setWithPdfs(sync.with_pdfs)
      setWithTags(sync.with_tags)
    }
    const isWithin = isFirst ? sync.with_subcollections : withSubcollections
    const choice = sync && before.all ? before : choose(tree, before, key, checked, isWithin)
    setChoices(new Map([...choices, [library, choice]]))
  }
  const switchSubcollections = (on: boolean) => {
    setWithSubcollections(on)
    const next = ([library, choice]: [string, Choice]): [string, Choice] => {
      const tree = libraries.find((one) => one.library === library)
      return [library, on && tree ? withDescendants(tree, choice) : choice]
    }
    setChoices(new Map([...choices].map(next)))
  }
  return (
    <>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)_13.5rem] items-start gap-x-8 gap-y-3 max-md:grid-cols-1">
        {trees.isPending || syncs.isPending ? (
          <div className="grid gap-2" aria-busy aria-label="Reading your libraries...">
            <Skeleton height="2.25rem" />
            <Skeleton height="2.25rem" />
            <Skeleton height="2.25rem" />
          </div>
        ) : trees.isLoadingError ? (
          <Failed message={messageOf(trees.error)} onRetry={() => void trees.refetch()} />
        ) : (
          <CollectionTree
            trees={trees.data}
            choices={choices}
            withSubcollections={withSubcollections}
            onChange={select}
          />
        )}
        <div className={styles.choices}>
          <h3>Also import</h3>
          <Tick label="With subcollections" checked={withSubcollections} onChange={switchSubcollections} />
          <Tick label="With PDFs" checked={withPdfs} onChange={setWithPdfs} />
          <Tick label="Tags" checked={withTags} onChange={setWithTags} />
          <Field label="Synchronize">
            {(ids) => (
              <Select
                {...ids}
                value={synchronize ?? intervals[0]!.value}
                onChange={(value) => setSynchronize(value === UNCHANGED.value ? undefined : (value as ZoteroInterval))}
                options={intervals}
              />
            )}
          </Field>
        </div>
      </div>
      <FieldHint className="mt-3.5">
        An import reads from Zotero and changes nothing there. Fields that you edit here stay as you edited them.
      </FieldHint>
      <div role="status">
        {replacedBy(syncs.data ?? [], body).map((sync) => (
          <FieldHint key={sync.id} className="mt-3.5">
            This replaces the import of ‘{sync.name}’{sync.is_own || !sync.by ? '' : ` by ${sync.by}`}.
            {sync.is_own ? '' : ' Its synchronization then uses your key.'}
          </FieldHint>
        ))}
      </div>
      <SyncList projectId={project.id} />
      {error ? <FieldError role="alert">{error}</FieldError> : null}
      <DialogActions>
        {chosen.libraries.length > 0 ? null : (
          <span className="mr-auto self-center text-meta text-muted-foreground">Nothing is chosen.</span>
        )}
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" disabled={isStarting || chosen.libraries.length === 0} onClick={() => void start()}>
          {isStarting ? 'Starting...' : chosen.libraries.length > 0 ? `Import ${amount}` : 'Import'}
        </Button>
      </DialogActions>
    </>
  )
}

function Tick({ label, checked, onChange }: { label: string; checked: boolean; onChange: (on: boolean) => void }) {
  const id = useId()
  return (
    <div className={styles.tick}>
      <Checkbox id={id} checked={checked} onChange={onChange} />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
