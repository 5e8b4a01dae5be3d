import { useQuery } from '@tanstack/react-query'
import type { ZoteroConnection } from '#shared/contract/zotero.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { SectionRow } from '#web/ui/page.tsx'
import { ConnectForm } from './connect-form.tsx'
import { connectionQuery, useDisconnect } from './queries.ts'
import styles from './zotero.module.css'

/**
 * The Zotero section of the settings: the form for the API key or, if a key is stored, the user and the libraries of the key.
 */
export function ZoteroSettings() {
  const { product_name } = useSite()
  const connection = useQuery(connectionQuery)
  return (
    <div>
      <p className="text-muted-foreground max-w-md py-5">
        {product_name} reads papers, tags and PDFs from Zotero and changes nothing there. Import them with ‘Import
        references’ in a project.
      </p>
      {connection.isPending ? (
        <Skeleton height="6rem" />
      ) : connection.isLoadingError ? (
        <div className="flex items-center gap-3">
          <FieldError className="mt-0">{messageOf(connection.error)}</FieldError>
          <Button size="sm" onClick={() => void connection.refetch()}>
            Retry
          </Button>
        </div>
      ) : connection.data ? (
        <Connected connection={connection.data} />
      ) : (
        <ConnectForm />
      )}
    </div>
  )
}

function Connected({ connection }: { connection: NonNullable<ZoteroConnection> }) {
  const disconnecting = useDisconnect()
  const disconnect = async () => {
    const yes = await confirm({
      title: 'Disconnect Zotero?',
      about: 'The key is deleted, and its synchronizations stop. Imported papers stay.',
      action: 'Disconnect',
    })
    if (yes)
      whenDone(disconnecting.mutateAsync(), {
        onError: (error) => toast({ title: 'Error', description: messageOf(error), destructive: true }),
      })
  }
  return (
    <>
      <SectionRow>
        <h2>Connection</h2>
        <div className="max-w-md leading-7">
          <p>
            Connected as <b>{connection.username}</b>, key{' '}
            <span className="tabular-nums">•••• {connection.last_four}</span>
          </p>
          {connection.error ? <FieldError role="alert">{connection.error}</FieldError> : null}
          <Button size="sm" className="mt-2" disabled={disconnecting.isPending} onClick={() => void disconnect()}>
            Disconnect
          </Button>
        </div>
      </SectionRow>
      <SectionRow>
        <h2>Libraries</h2>
        <ul className={styles.libraries}>
          {connection.libraries.map(({ library, name, readable }) => (
            <li key={library}>
              {name}
              {readable ? null : <small>This key may not read that library.</small>}
            </li>
          ))}
        </ul>
      </SectionRow>
      {connection.error ? (
        <SectionRow>
          <h2>New key</h2>
          <ConnectForm />
        </SectionRow>
      ) : null}
    </>
  )
}
