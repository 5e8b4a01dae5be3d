import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#web/lib/api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field, Input } from '#web/ui/field.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import styles from './auth.module.css'
import { factorsQuery, useSecondStep } from './factor-calls.ts'
import { AuthPanel } from './auth-panel.tsx'
import { BackToSignIn } from './back-to-sign-in.tsx'
import secondFactorStyles from './second-factor.module.css'

/** Asks for the code of the second factor after the password or the provider, and then signs in. */
export function SecondStep({ back }: { back: string | undefined }) {
  useTitle('Second step')
  const query = useQuery({ ...factorsQuery, staleTime: 0 })
  const [isBackup, setIsBackup] = useState(false)
  const [code, setCode] = useState('')
  const verify = useSecondStep()
  const factor = query.data?.factors.find(({ status }) => status === 'verified')
  if (query.isPending)
    return (
      <AuthPanel title="One more step">
        <Waiting>Checking authentication...</Waiting>
      </AuthPanel>
    )
  if (!query.data?.second_step || !factor)
    return (
      <AuthPanel title="Sign in again">
        <p role="alert">{query.error ? messageOf(query.error) : 'There is nothing to confirm.'}</p>
        <BackToSignIn back={back} />
      </AuthPanel>
    )
  return (
    <AuthPanel title="One more step">
      <p>{isBackup ? 'Enter one of your backup codes.' : `Enter the code that “${factor.friendly_name}” shows.`}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          verify.mutate({ id: factor.id, code })
        }}
      >
        <Field
          key={String(isBackup)}
          label={isBackup ? 'Backup code' : 'Code'}
          className={cn(styles.fieldRow, secondFactorStyles.fieldRow)}
          error={verify.error ? messageOf(verify.error) : undefined}
        >
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              inputMode={isBackup ? 'text' : 'numeric'}
              autoComplete="one-time-code"
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" disabled={verify.isPending || code.trim() === ''}>
          {verify.isPending ? 'Checking...' : 'Continue'}
        </Button>
        <Button
          variant="ghost"
          onClick={() => {
            setIsBackup(!isBackup)
            setCode('')
            verify.reset()
          }}
        >
          {isBackup ? 'Use a code from the app' : 'Use a backup code'}
        </Button>
      </form>
    </AuthPanel>
  )
}
