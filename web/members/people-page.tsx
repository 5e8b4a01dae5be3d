import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { useMay } from '#web/lib/rights.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PendingInvitations } from './pending-invitations.tsx'
import { MembersTable } from './members-table.tsx'
import { membersQuery } from './queries.ts'
import { TransferDialog } from './transfer-dialog.tsx'

/** The page with the members of a project and their roles. Owners can change the roles. */
export function PeoplePage({ project }: { project: Project }) {
  useTitle(`People · ${project.name}`)
  const mayManage = useMay('manage')
  const members = useQuery(membersQuery(project.id))
  const [transferring, setTransferring] = useState(false)
  const [inviting, setInviting] = useState(false)
  const count = members.data?.length ?? project.member_count
  return (
    <Page>
      <Link to={pages.overview(project.address)} className="back-link">
        ← Back to overview
      </Link>
      <PageHead>
        <h1>
          People<HeadCount>{count}</HeadCount>
        </h1>
        {mayManage ? (
          <HeadActions className="max-md:w-full max-md:*:flex-1">
            {count > 1 ? <Button onClick={() => setTransferring(true)}>Transfer project</Button> : null}
            <Button variant="primary" onClick={() => setInviting(true)}>
              <Plus aria-hidden />
              Invite people
            </Button>
          </HeadActions>
        ) : null}
      </PageHead>
      {members.isLoadingError ? (
        <LoadFailed
          title="The people could not be loaded"
          error={members.error}
          onRetry={() => void members.refetch()}
        />
      ) : (
        <MembersTable project={project} members={members.data} />
      )}
      {mayManage ? <PendingInvitations project={project} /> : null}
      <TransferDialog
        project={project}
        members={members.data ?? []}
        open={transferring && mayManage}
        onOpenChange={setTransferring}
      />
      {inviting && mayManage ? <InviteDialog project={project} onClose={() => setInviting(false)} /> : null}
    </Page>
  )
}
