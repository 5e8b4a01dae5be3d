import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey, CreatedKey } from '#shared/contract/api-keys.ts'
import { ProofHost } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SectionTitle } from '#web/ui/page.tsx'
import { CallsTable } from './calls-table.tsx'
import { ConnectAssistant } from './connect-assistant.tsx'
import { CreatedKeyDialog } from './created-key-dialog.tsx'
import { KeysTable } from './keys-table.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { keysQuery, useRevokeKey } from './queries.ts'
import styles from './keys.module.css'

const ABOUT = 'Programs and assistants sign in with a key instead of your password.'

/** The settings tab 'API keys': the user's keys, the last calls with them, and texts that connect an AI assistant. */
export function ApiKeys() {
  const list = useQuery(keysQuery)
  const revoke = useRevokeKey()
  const { mcp } = useSite()
  const [isNew, setIsNew] = useState(false)
  const [created, setCreated] = useState<CreatedKey | null>(null)
  // Contains the new key until the user leaves this page. No other page has it.
  const [connecting, setConnecting] = useState<{ created: CreatedKey | null } | null>(null)
  const askAndRevoke = async (key: ApiKey) => {
    const isSure = await confirm({
      title: `Revoke the key "${key.name}"?`,
      about: 'Programs that use it stop working at once.',
      action: 'Revoke',
    })
    if (!isSure) return
    whenDone(revoke.mutateAsync(key.id), {
      onSuccess: () => toast({ title: 'Key revoked' }),
      onError: (error) => toast({ title: 'Error revoking the key', description: messageOf(error), destructive: true }),
    })
  }
  if (connecting) return <ConnectAssistant created={connecting.created} onBack={() => setConnecting(null)} />
  const keys = list.data
  const isEmpty = keys?.length === 0
  const newKey = (
    <Button variant="primary" onClick={() => setIsNew(true)}>
      <Plus aria-hidden />
      New key
    </Button>
  )
  const connect = mcp ? <Button onClick={() => setConnecting({ created: null })}>Connect an assistant</Button> : null
  return (
    <>
      <div className={styles.head}>
        <SectionTitle>
          API keys {keys ? <span className="font-normal text-muted-foreground tabular-nums">{keys.length}</span> : null}
        </SectionTitle>
        {isEmpty ? null : <p>{ABOUT}</p>}
        <div className="ml-auto flex flex-wrap gap-2 max-md:ml-0 max-md:w-full">
          {isEmpty ? null : connect}
          {newKey}
        </div>
      </div>
      {list.error && !keys ? (
        <LoadFailed title="Error loading keys" error={list.error} onRetry={() => void list.refetch()} />
      ) : isEmpty ? (
        <EmptyState title="No keys yet." about={ABOUT} actions={connect} />
      ) : (
        <KeysTable keys={keys} isBusy={revoke.isPending} onRevoke={(key) => void askAndRevoke(key)} />
      )}
      {keys ? <CallsTable keys={keys} /> : null}
      <NewKeyDialog
        open={isNew}
        onClose={() => setIsNew(false)}
        onCreated={(key) => {
          setIsNew(false)
          setCreated(key)
        }}
      />
      <CreatedKeyDialog
        created={created}
        onClose={() => setCreated(null)}
        onConnect={() => {
          setConnecting({ created })
          setCreated(null)
        }}
      />
      <ProofHost />
    </>
  )
}
