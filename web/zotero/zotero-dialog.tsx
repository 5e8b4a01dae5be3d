import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { ZoteroInterval } from '#shared/contract/zotero.ts'
import { messageOf } from '#web/lib/api.ts'
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
import { INTERVAL_OPTIONS } from './intervals.ts'
import { connectionQuery, syncsQuery, treeQuery } from './queries.ts'
import { type Choice, countOf, NOTHING, requestOf, withDescendants } from './selection.ts'
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

function Choices({ project, onClose }: { project: Project; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const trees = useQuery(treeQuery)
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const [withSubcollections, setWithSubcollections] = useState(true)
  const [withPdfs, setWithPdfs] = useState(true)
  const [withTags, setWithTags] = useState(true)
  const [synchronize, setSynchronize] = useState<ZoteroInterval>('never')
  const [error, setError] = useState<string>()
  const [isStarting, setIsStarting] = useState(false)
  const libraries = trees.data ?? []
  const chosen = requestOf(libraries, choices, withSubcollections)
  const counts = libraries.map((tree) => countOf(tree, choices.get(tree.library) ?? NOTHING))
  const count = counts.reduce((sum, one) => sum + one.count, 0)
  const amount = `${counts.every((one) => one.isExact) ? '' : 'up to '}${counted(count, 'paper')}`

  const start = async () => {
    setIsStarting(true)
    setError(undefined)
    try {
      const body = { project_id: project.id, ...chosen, with_pdfs: withPdfs, with_tags: withTags, synchronize }
      const job = await startJob(client, api.zoteroImports(), body)
      void announceEnd(job, project.address, (to) => void navigate({ to }))
      void client.invalidateQueries(syncsQuery(project.id))
      toast({ title: 'Import from Zotero started' })
      onClose()
    } catch (failure) {
      setError(messageOf(failure))
      setIsStarting(false)
    }
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
        {trees.isPending ? (
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
            onChange={(library, choice) => setChoices(new Map([...choices, [library, choice]]))}
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
                value={synchronize}
                onChange={(value) => setSynchronize(value as ZoteroInterval)}
                options={INTERVAL_OPTIONS}
              />
            )}
          </Field>
        </div>
      </div>
      <FieldHint className="mt-3.5">
        Lectern reads from Zotero and changes nothing there. Fields that you edit here stay as you edited them.
      </FieldHint>
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
