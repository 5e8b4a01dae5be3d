import type { Member } from '#shared/contract/members.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ROLE_WORDS, type ProjectRole } from '#shared/contract/roles.ts'
import { useSession } from '#web/auth/index.ts'
import { shortDate } from '#web/lib/dates.ts'
import { useMay } from '#web/lib/rights.tsx'
import { Button } from '#web/ui/button.tsx'
import { ActionsHead, cells, DataTable } from '#web/ui/data-table.tsx'
import { Avatar, Skeleton } from '#web/ui/marks.tsx'
import { Select } from '#web/ui/select.tsx'
import { lastSeen } from './last-seen.ts'
import styles from './members.module.css'
import { ROLE_OPTIONS } from './role-options.ts'
import { useMemberActions } from './use-member-actions.ts'

/** The members of a project. Below 768 px, each row is a card. */
export function MembersTable({ project, members }: { project: Project; members: readonly Member[] | undefined }) {
  const ownId = useSession().session?.user.id
  const mayManage = useMay('manage')
  const actions = useMemberActions(project)
  return (
    <DataTable className={styles.members} aria-busy={members === undefined}>
      <thead>
        <tr>
          <th>Name</th>
          <th>Role</th>
          <th>Joined</th>
          <th>Last seen</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {members === undefined ? <LoadingRows count={project.member_count} /> : null}
        {members?.map((member) => {
          const own = member.user_id === ownId
          return (
            <tr key={member.user_id} aria-label={member.name}>
              <td className={cells.wide}>
                <div className={styles.who}>
                  <Avatar quiet={!own} name={member.name} picture={member.avatar_url} />
                  <div>
                    <b>{member.name}</b>
                    {own ? ' (you)' : null}
                    {member.email ? <p>{member.email}</p> : null}
                  </div>
                </div>
              </td>
              <td className={styles.role}>
                {mayManage && members.length > 1 ? (
                  <Select
                    aria-label={`Role of ${member.name}`}
                    value={member.role}
                    disabled={actions.isBusy}
                    onChange={(role) => void actions.changeRole(member, role as ProjectRole, own)}
                    options={ROLE_OPTIONS}
                  />
                ) : (
                  ROLE_WORDS[member.role].label
                )}
              </td>
              <td className={styles.date} data-label="Joined">
                {shortDate(member.added_at)}
              </td>
              <td className={styles.date} data-label="Last seen">
                {lastSeen(member.last_seen_on)}
              </td>
              <td className={cells.end}>
                {own && members.length > 1 ? (
                  <Button
                    variant="ghost"
                    size="sm"
                    disabled={actions.isBusy}
                    onClick={() => void actions.leave(member)}
                  >
                    Leave project
                  </Button>
                ) : mayManage && !own ? (
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={`Remove ${member.name}`}
                    disabled={actions.isBusy}
                    onClick={() => void actions.remove(member)}
                  >
                    Remove
                  </Button>
                ) : null}
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}

const LoadingRows = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, index) => (
    <tr key={index}>
      <td className={cells.wide} colSpan={5}>
        <Skeleton width="14rem" />
      </td>
    </tr>
  ))
