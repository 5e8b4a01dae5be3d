import { useNavigate } from '@tanstack/react-router'
import type { Member } from '#shared/contract/members.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ROLE_WORDS, type ProjectRole } from '#shared/contract/roles.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { storeProjectId } from '#web/projects/index.ts'
import { refreshMembers, useChangeRole, useRemoveMember } from './queries.ts'

/**
 * Returns functions that change a role, remove a member, or let the user leave the project, including their confirmations and
 * toasts.
 */
export function useMemberActions(project: Project) {
  const navigate = useNavigate()
  const changing = useChangeRole(project.id)
  const removing = useRemoveMember(project.id)

  const changeRole = async (member: Member, role: ProjectRole, own: boolean) => {
    const isAgreed =
      !own ||
      (await confirm({
        title: 'Give up your role as owner?',
        about: `You become ${ROLE_WORDS[role].label.toLowerCase()} at once. Only another owner can give you the role back.`,
        action: 'Give up the role',
      }))
    if (!isAgreed) return
    await changing.mutateAsync({ ...member, role }).then(
      () => toast({ title: 'Role changed', description: `${member.name} is ${ROLE_WORDS[role].label.toLowerCase()}.` }),
      (error: unknown) =>
        toast({ title: 'The role could not be changed', description: reasonOf(error), destructive: true }),
    )
  }

  const remove = async ({ user_id, name }: Member) => {
    const about = 'The access ends at once. Papers and other contributions remain in the project.'
    if (!(await confirm({ title: `Remove ${name} from “${project.name}”?`, about, action: 'Remove' }))) return
    await removing.mutateAsync(user_id).then(
      () => toast({ title: `${name} was removed` }),
      (error: unknown) =>
        toast({ title: `${name} could not be removed`, description: messageOf(error), destructive: true }),
    )
    await refreshMembers()
  }

  const leave = async ({ user_id }: Member) => {
    const about =
      'Your access ends at once, and only an owner can invite you again. Your papers and other contributions remain in the project. Your saved searches and the conversations that only you see are deleted. Before that, you can download your data on your profile.'
    if (!(await confirm({ title: `Leave “${project.name}”?`, about, action: 'Leave project' }))) return
    await removing.mutateAsync(user_id).then(
      async () => {
        storeProjectId(null)
        toast({ title: `You left “${project.name}”` })
        await navigate({ to: pages.projects() })
      },
      (error: unknown) =>
        toast({ title: 'You could not leave the project', description: messageOf(error), destructive: true }),
    )
    await refreshMembers()
  }

  return { changeRole, remove, leave, isBusy: changing.isPending || removing.isPending }
}

const reasonOf = (error: unknown) =>
  error instanceof ApiError && error.code === 'changed'
    ? 'Another owner changed this role meanwhile. The list shows the present role.'
    : messageOf(error)
