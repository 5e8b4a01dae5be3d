import { useId, useState } from 'react'
import type { StartedFactor } from '#shared/contract/accounts.ts'
import { messageOf } from '#web/lib/api.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Field, FieldHint, Input } from '#web/ui/field.tsx'
import authStyles from './auth.module.css'
import { useVerifyFactor } from './factor-calls.ts'
import { QrPicture } from './qr-picture.tsx'
import styles from './second-factor.module.css'

/** Setup of an authenticator app: QR code, key as text, and the first code. */
export function SetUpFactor({
  started,
  onVerified,
  onCancel,
}: {
  started: StartedFactor
  onVerified: (backupCodes: string[]) => void
  onCancel: () => void
}) {
  const [code, setCode] = useState('')
  const verify = useVerifyFactor()
  const secretId = useId()
  const submit = () =>
    whenDone(verify.mutateAsync({ id: started.id, code }), {
      onSuccess: ({ backup_codes }) => onVerified(backup_codes ?? []),
    })
  return (
    <form
      className={styles.factorSetup}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <QrPicture text={started.totp.uri} label="QR code for your authenticator app" />
      <div>
        <p>Scan this with an authenticator app, then enter the code that it shows.</p>
        <FieldHint id={secretId}>Or type this key into the app:</FieldHint>
        <code aria-labelledby={secretId}>{started.totp.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        <Field
          label="Code"
          className={cn(authStyles.fieldRow, styles.fieldRow)}
          error={verify.error ? messageOf(verify.error) : undefined}
          hint="6 digits"
        >
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={7}
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
        </Field>
        <div className={styles.actions}>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={verify.isPending || code.trim() === ''}>
            {verify.isPending ? 'Checking...' : 'Turn on'}
          </Button>
        </div>
      </div>
    </form>
  )
}
