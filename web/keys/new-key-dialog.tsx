import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  type CreatedKey,
  DEFAULT_KEY_DAYS,
  KEY_DAYS,
  KEY_SCOPES,
  type KeyScope,
  SCOPE_WORDS,
} from '#shared/contract/api-keys.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { shortDate } from '#web/lib/dates.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { projectsQuery } from '#web/projects/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Choice, Choices } from '#web/ui/choice.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, FieldError, Input } from '#web/ui/field.tsx'
import { Alert, Waiting } from '#web/ui/marks.tsx'
import { Select } from '#web/ui/select.tsx'
import { useCreateKey } from './queries.ts'
import styles from './keys.module.css'

const DAY_MS = 24 * 60 * 60_000
const NEVER = 'never'

/** Asks for the name, the scopes, the projects and the expiry of a key, and creates it. */
export function NewKeyDialog({
  open,
  onClose,
  onCreated,
}: {
  open: boolean
  onClose: () => void
  onCreated: (key: CreatedKey) => void
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title="New key"
      about="It acts as you, with your roles, limited to the scopes and projects that you choose here."
    >
      <NewKeyForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  )
}

function NewKeyForm({ onClose, onCreated }: { onClose: () => void; onCreated: (key: CreatedKey) => void }) {
  const create = useCreateKey()
  const { mail_enabled } = useSite()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['read'])
  const [reach, setReach] = useState<'all' | 'chosen'>('all')
  const [projectIds, setProjectIds] = useState<readonly string[]>([])
  const [days, setDays] = useState<number | null>(DEFAULT_KEY_DAYS)
  const fields = create.error instanceof ApiError ? create.error.fields : undefined
  const save = () => {
    whenDone(
      create.mutateAsync({
        name,
        scopes: [...scopes],
        project_ids: reach === 'all' ? null : [...projectIds],
        expires_in_days: days as (typeof KEY_DAYS)[number],
      }),
      {
        onSuccess: onCreated,
        onError: (error) => {
          if (!(error instanceof ApiError && Object.keys(error.fields).length > 0))
            toast({ title: 'Error creating the key', description: messageOf(error), destructive: true })
        },
      },
    )
  }
  return (
    <form
      className="grid gap-5 mt-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field label="Name" error={fields?.['name']}>
        {(ids) => (
          <Input
            {...ids}
            value={name}
            maxLength={60}
            placeholder="Desk assistant"
            onChange={({ target }) => {
              setName(target.value)
              // The error is about the earlier name.
              if (create.isError) create.reset()
            }}
          />
        )}
      </Field>
      <fieldset>
        <legend className="text-sm font-medium">Scopes</legend>
        {KEY_SCOPES.map((scope) => (
          <Tick
            key={scope}
            title={scope}
            about={SCOPE_WORDS[scope]}
            checked={scopes.includes(scope)}
            // 'read' cannot be switched off, because the other scopes need it.
            disabled={scope === 'read'}
            onChange={(on) => setScopes(KEY_SCOPES.filter((one) => (one === scope ? on : scopes.includes(one))))}
          />
        ))}
      </fieldset>
      <div>
        <p className="text-sm font-medium mb-1">Projects</p>
        <Choices label="Projects" value={reach} onChange={(next) => setReach(next as 'all' | 'chosen')}>
          <Choice value="all" title="All mine">
            Also papers without a project, and projects that you join later
          </Choice>
          <Choice value="chosen" title="Chosen" />
        </Choices>
        {reach === 'chosen' ? <ProjectTicks chosen={projectIds} onChange={setProjectIds} /> : null}
        {reach === 'chosen' && fields?.['project_ids'] ? <FieldError>{fields['project_ids']}</FieldError> : null}
      </div>
      <Field label="Expires" hint={mail_enabled && days !== null ? 'You get an e-mail 7 days before.' : undefined}>
        {(ids) => (
          <Select
            {...ids}
            value={String(days ?? NEVER)}
            onChange={(next) => setDays(next === NEVER ? null : Number(next))}
            options={KEY_DAYS.map((one) => ({ value: String(one ?? NEVER), label: lifetime(one) }))}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={create.isPending}>
          {create.isPending ? 'Creating...' : 'Create key'}
        </Button>
      </DialogActions>
    </form>
  )
}

const lifetime = (days: number | null) =>
  days === null ? 'Never' : `After ${days} days, ${shortDate(new Date(Date.now() + days * DAY_MS).toISOString())}`

function ProjectTicks({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: string[]) => void }) {
  const { data, error } = useQuery(projectsQuery)
  if (!data) return error ? <Alert role="alert">{messageOf(error)}</Alert> : <Waiting>Loading the projects</Waiting>
  return (
    <div
      className="mt-2 max-h-48 overflow-y-auto rounded-md border border-border px-3 py-1"
      role="group"
      aria-label="Chosen projects"
    >
      {data.length === 0 ? <p>You have no projects yet.</p> : null}
      {data.map(({ id, name }) => (
        <Tick
          key={id}
          title={name}
          checked={chosen.includes(id)}
          onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </div>
  )
}

function Tick({
  title,
  about,
  checked,
  disabled = false,
  onChange,
}: {
  title: string
  about?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <div className={styles.tick}>
      <Checkbox id={id} checked={checked} disabled={disabled} onChange={onChange} />
      <label htmlFor={id}>
        <b>{title}</b>
        {about ? <span>{about}</span> : null}
      </label>
    </div>
  )
}
