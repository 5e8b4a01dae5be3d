import { useState } from 'react'
import type { Member } from '#shared/contract/members.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ROLE_WORDS } from '#shared/contract/roles.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { useTransfer } from './queries.ts'

/** The dialog that transfers the project to another member. */
export function TransferDialog({
  project,
  members,
  open,
  onOpenChange,
}: {
  project: Project
  members: readonly Member[]
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Transfer project"
      about={`“${project.name}” moves to the projects of the new owner. You remain an owner until you leave or your role is changed.`}
    >
      <TransferForm project={project} members={members} onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

function TransferForm({
  project,
  members,
  onClose,
}: {
  project: Project
  members: readonly Member[]
  onClose: () => void
}) {
  const [userId, setUserId] = useState<string>()
  const transferring = useTransfer(project.id)
  const others = members.filter(({ user_id }) => user_id !== project.owner_id)
  const chosen = others.find(({ user_id }) => user_id === userId)
  const submit = () =>
    chosen &&
    whenDone(transferring.mutateAsync(chosen.user_id), {
      onSuccess: () => {
        toast({ title: 'Project transferred', description: `${chosen.name} is the owner of “${project.name}”.` })
        onClose()
      },
      onError: (error) =>
        toast({ title: 'The project could not be transferred', description: messageOf(error), destructive: true }),
    })
  return (
    <div className="mt-4.5">
      <Field label="New owner">
        {(ids) => (
          <Select
            {...ids}
            value={userId}
            onChange={setUserId}
            placeholder="Choose a member"
            options={others.map(({ user_id, name, role }) => ({
              value: user_id,
              label: name,
              about: ROLE_WORDS[role].label,
            }))}
          />
        )}
      </Field>
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="primary" disabled={!chosen || transferring.isPending} onClick={submit}>
          {transferring.isPending ? 'Transferring...' : 'Make owner'}
        </Button>
      </DialogActions>
    </div>
  )
}
