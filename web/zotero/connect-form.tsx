import { useState } from 'react'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { useConnect } from './queries.ts'

/** URL of the Zotero page on which users create API keys. */
const KEYS_PAGE = 'https://www.zotero.org/settings/keys'

/** The form with the field for the user's Zotero API key. */
export function ConnectForm() {
  const [key, setKey] = useState('')
  const connecting = useConnect()
  return (
    <form
      className="grid max-w-md gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        whenDone(connecting.mutateAsync(key.trim()), { onSuccess: () => toast({ title: 'Connected with Zotero' }) })
      }}
    >
      <Field
        label="API key"
        error={connecting.error ? messageOf(connecting.error) : undefined}
        hint={
          <>
            Create a key that may read your library at{' '}
            <a className="text-link" href={KEYS_PAGE} target="_blank" rel="noreferrer">
              zotero.org/settings/keys
            </a>
            . It is stored encrypted.
          </>
        }
      >
        {(ids) => (
          <Input
            {...ids}
            type="password"
            name="zotero-key"
            autoComplete="off"
            spellCheck={false}
            required
            maxLength={200}
            value={key}
            onChange={({ target }) => {
              setKey(target.value)
              connecting.reset()
            }}
          />
        )}
      </Field>
      <div>
        <Button type="submit" variant="primary" disabled={connecting.isPending || key.trim() === ''}>
          {connecting.isPending ? 'Connecting...' : 'Connect'}
        </Button>
      </div>
    </form>
  )
}
