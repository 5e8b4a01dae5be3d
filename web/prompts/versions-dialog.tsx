import { useQuery } from '@tanstack/react-query'
import type { Prompt, PromptVersion } from '#shared/contract/prompts.ts'
import { DEFAULT_MODEL, modelName } from '#shared/contract/prompts.ts'
import { messageOf } from '#web/lib/api.ts'
import { shortDate } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Badge, Skeleton } from '#web/ui/marks.tsx'
import styles from './prompts.module.css'
import { useRestoreVersion, versionsQuery } from './queries.ts'

/** The versions of a prompt, latest first. An earlier version can be restored. */
export function VersionsDialog({ prompt, onOpenChange }: { prompt: Prompt; onOpenChange: (open: boolean) => void }) {
  const versions = useQuery(versionsQuery(prompt.id))
  const restoring = useRestoreVersion()
  const current = versions.data?.[0]?.version
  const restore = (version: number) =>
    whenDone(restoring.mutateAsync({ id: prompt.id, version }), {
      onSuccess: () => toast({ title: `Version ${version} restored` }),
      onError: (error) => toast({ title: 'Failed to save prompt', description: messageOf(error), destructive: true }),
    })
  return (
    <Dialog open onOpenChange={onOpenChange} wide title="Versions" about={prompt.name}>
      <div className={cn(styles.promptVersions, 'mt-4.5')}>
        {versions.isLoadingError ? (
          <LoadFailed
            title="The versions could not be loaded"
            error={versions.error}
            onRetry={() => void versions.refetch()}
          />
        ) : versions.data === undefined ? (
          <Skeleton height="4rem" />
        ) : (
          versions.data.map((one) => (
            <Version
              key={one.id}
              version={one}
              isCurrent={one.version === current}
              busy={restoring.isPending}
              onRestore={() => restore(one.version)}
            />
          ))
        )}
      </div>
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function Version({
  version,
  isCurrent,
  busy,
  onRestore,
}: {
  version: PromptVersion
  isCurrent: boolean
  busy: boolean
  onRestore: () => void
}) {
  const by = version.saved_by ? ` by ${version.saved_by}` : ''
  return (
    <details open={isCurrent}>
      <summary>
        <b>Version {version.version}</b> {isCurrent ? <Badge>Current</Badge> : null}
        <span className="text-muted-foreground text-meta tabular-nums lining-nums">
          {shortDate(version.created_at)}
          {by}
        </span>
      </summary>
      <p className="text-meta text-muted-foreground">
        {version.name} · {version.model === DEFAULT_MODEL.id ? DEFAULT_MODEL.name : modelName(version.model)}
        {version.description ? ` · ${version.description}` : ''}
      </p>
      <p className="my-2 font-serif wrap-anywhere whitespace-pre-wrap">{version.prompt}</p>
      {isCurrent ? null : (
        <Button size="sm" disabled={busy} onClick={onRestore} aria-label={`Restore version ${version.version}`}>
          Restore
        </Button>
      )}
    </details>
  )
}
