import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { OwnedProject } from '#shared/contract/accounts.ts'
import { pages } from '#shared/contract/paths.ts'
import { ROLE_WORDS } from '#shared/contract/roles.ts'
import { endSession } from '#web/auth/index.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { Select } from '#web/ui/select.tsx'
import { accountQuery, useDeleteAccount } from './queries.ts'

const DELETE = 'delete'

/** Deletes the account. The dialog lists the content to be deleted and asks for the password, and for the new owners of
 * shared projects. */
export function DeleteAccount({ email }: { email: string }) {
  const [open, setOpen] = useState(false)
  const [error, setError] = useState<string>()
  const navigate = useNavigate()
  const deleting = useDeleteAccount()
  const account = useQuery({ ...accountQuery, enabled: open, staleTime: 0 })
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const owned = account.data?.owned_projects ?? []
  const change = (next: boolean) => {
    setError(undefined)
    setChosen({})
    setOpen(next)
  }
  const submit = (form: HTMLFormElement) => {
    const proof = Object.fromEntries(new FormData(form)) as { password?: string; email?: string }
    const successors = Object.fromEntries(
      owned.map(({ id }) => [id, chosen[id] === DELETE ? null : (chosen[id] ?? null)]),
    )
    whenDone(deleting.mutateAsync({ ...proof, successors }), {
      onSuccess: () => {
        // An open dialog would refetch the content of the account.
        setOpen(false)
        endSession()
        toast({ title: 'Account deleted', description: 'Your account and all its content were deleted.' })
        void navigate({ to: pages.auth() })
      },
      onError: (failure) => {
        if (failure instanceof ApiError && failure.code === 'refused') setError(failure.message)
        else toast({ title: 'Error deleting account', description: messageOf(failure), destructive: true })
        // A member can have joined or left a project since.
        void account.refetch()
      },
    })
  }
  const { data } = account
  return (
    <>
      <Button variant="danger" className="-ml-2.5" onClick={() => change(true)}>
        Delete account
      </Button>
      <Dialog
        open={open}
        onOpenChange={change}
        locked={deleting.isPending}
        title="Delete your account?"
        about={
          data
            ? `${email} is deleted permanently, with ${counted(data.projects, 'project')} and ${counted(data.documents, 'document')}, their files, feeds and answers.`
            : `${email} is deleted permanently, with all its content.`
        }
      >
        {account.error ? (
          <div className="mt-4 grid justify-items-start gap-3" role="alert">
            <p>{messageOf(account.error)}</p>
            <Button onClick={() => void account.refetch()}>Retry</Button>
          </div>
        ) : data ? (
          <form
            className="grid grid-cols-1 gap-4 mt-4"
            onSubmit={(event) => {
              event.preventDefault()
              submit(event.currentTarget)
            }}
          >
            {owned.map((project) => (
              <Successor
                key={project.id}
                project={project}
                value={chosen[project.id]}
                onChange={(value) => setChosen({ ...chosen, [project.id]: value })}
              />
            ))}
            {data.has_password ? (
              <Field label="Password" error={error}>
                {(ids) => (
                  <Input {...ids} name="password" type="password" autoComplete="current-password" required autoFocus />
                )}
              </Field>
            ) : (
              <Field label="Type your email address" error={error}>
                {(ids) => <Input {...ids} name="email" type="email" autoComplete="off" required autoFocus />}
              </Field>
            )}
            <DialogActions>
              <Button variant="ghost" disabled={deleting.isPending} onClick={() => change(false)}>
                Cancel
              </Button>
              <Button
                type="submit"
                variant="destructive"
                disabled={deleting.isPending || owned.some(({ id }) => chosen[id] === undefined)}
              >
                {deleting.isPending ? 'Deleting...' : 'Delete account'}
              </Button>
            </DialogActions>
          </form>
        ) : (
          <Skeleton height="5rem" />
        )}
      </Dialog>
    </>
  )
}

/** The input for what happens with a shared project: the member who becomes its owner, or its deletion. */
const Successor = ({
  project: { name, members },
  value,
  onChange,
}: {
  project: OwnedProject
  value: string | undefined
  onChange: (value: string) => void
}) => (
  <Field
    label={`New owner of “${name}”`}
    hint={value === DELETE ? 'Its papers are deleted permanently, and its members lose the project.' : undefined}
  >
    {(ids) => (
      <Select
        {...ids}
        value={value}
        onChange={onChange}
        placeholder="Choose a member"
        options={[
          ...members.map((one) => ({ value: one.user_id, label: one.name, about: ROLE_WORDS[one.role].label })),
          { value: DELETE, label: 'Delete the project' },
        ]}
      />
    )}
  </Field>
)
