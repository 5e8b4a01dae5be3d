import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Factor, StartedFactor } from '#shared/contract/accounts.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { factorsQuery, useRemoveFactor, useRenewBackupCodes, useStartFactor } from './factor-calls.ts'
import styles from './second-factor.module.css'
import { SetUpFactor } from './set-up-factor.tsx'

/**
 * Turns the second factor on and off: an authenticator app with a QR code and backup codes. Turning it on ends all
 * other sessions.
 */
export function SecondFactorPanel({ onTurnedOn }: { onTurnedOn: () => void }) {
  const query = useQuery(factorsQuery)
  const start = useStartFactor()
  const [started, setStarted] = useState<StartedFactor | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const failed = (error: Error) =>
    toast({ title: 'Error setting up the second factor', description: messageOf(error), destructive: true })

  if (codes) return <BackupCodes codes={codes} onDone={() => setCodes(null)} />
  if (query.isPending) return <Skeleton height="2.5rem" />
  if (query.isLoadingError)
    return (
      <div className={styles.factorRow} role="alert">
        <p>{messageOf(query.error)}</p>
        <Button onClick={() => void query.refetch()}>Retry</Button>
      </div>
    )
  const factor = query.data.factors.find(({ status }) => status === 'verified')
  if (factor) return <Standing factor={factor} left={query.data.backup_codes_left} onCodes={setCodes} />
  if (started)
    return (
      <SetUpFactor
        started={started}
        onCancel={() => setStarted(null)}
        onVerified={(made) => {
          setStarted(null)
          setCodes(made)
          onTurnedOn()
          toast({ title: 'Second factor turned on', description: 'You are signed out everywhere else.' })
        }}
      />
    )
  return (
    <div className={styles.factorRow}>
      <p>Ask for a code from an app on your phone, in addition to the password, at every sign-in.</p>
      <Button
        disabled={start.isPending}
        onClick={() => whenDone(start.mutateAsync(), { onSuccess: setStarted, onError: failed })}
      >
        Set up
      </Button>
    </div>
  )
}

function Standing({ factor, left, onCodes }: { factor: Factor; left: number; onCodes: (codes: string[]) => void }) {
  const renew = useRenewBackupCodes()
  const remove = useRemoveFactor()
  const failed = (error: Error) => toast({ title: 'Error', description: messageOf(error), destructive: true })
  const turnOff = async () => {
    const question = {
      title: 'Turn off the second factor?',
      about: 'Your password alone will open your account. The backup codes stop working.',
      action: 'Turn off',
    }
    if (!(await confirm(question))) return
    whenDone(remove.mutateAsync(factor.id), {
      onError: failed,
      onSuccess: () => toast({ title: 'Second factor turned off' }),
    })
  }
  const renewCodes = async () => {
    const question = {
      title: 'Create new backup codes?',
      about: 'Your current backup codes stop working.',
      action: 'Create new codes',
    }
    if (!(await confirm(question))) return
    whenDone(renew.mutateAsync(factor.id), { onError: failed, onSuccess: ({ backup_codes }) => onCodes(backup_codes) })
  }
  return (
    <div className={styles.factorRow}>
      <p>
        <strong>On.</strong> {factor.friendly_name}, {left === 1 ? '1 backup code' : `${left} backup codes`} left.
      </p>
      <div className={styles.actions}>
        <Button disabled={renew.isPending} onClick={() => void renewCodes()}>
          New backup codes
        </Button>
        <Button variant="danger" disabled={remove.isPending} onClick={() => void turnOff()}>
          Turn off
        </Button>
      </div>
    </div>
  )
}
