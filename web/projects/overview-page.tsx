import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, Pencil } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ROLE_WORDS } from '#shared/contract/roles.ts'
import { TRASH_DAYS } from '#shared/contract/trash.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { shortDate } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { undoProject } from '#web/trash/index.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { CoverFrame } from '#web/ui/cover.tsx'
import { Chip, Chips } from '#web/ui/marks.tsx'
import { Page, SectionRow, SectionTitle } from '#web/ui/page.tsx'
import { BackToProjects } from './back-to-projects.tsx'
import { ProjectCover } from './project-cover.tsx'
import { LazyProjectDialog } from './lazy-project-dialog.tsx'
import styles from './projects.module.css'
import { useDeleteProject } from './changes.ts'
import { fetchProjectNow } from './queries.ts'

/**
 * The overview of a project: research question, description and counts. `statuses` shows the document statuses, `recommended`
 * the recommended papers, and `hint` a link to quotes that are no longer in the texts of their papers.
 */
export function OverviewPage({
  project,
  statuses,
  hint,
  recommended,
}: {
  project: Project
  statuses: ReactNode
  hint: ReactNode
  recommended: ReactNode
}) {
  useTitle(project.name)
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
  const mayManage = useMay('manage')
  const mayAdd = useMay('edit') && project.document_count === 0
  const deleting = useDeleteProject()
  const remove = async () => {
    const now = await fetchProjectNow(project.id).catch((error: unknown) => {
      toast({ title: 'Error checking documents', description: messageOf(error), destructive: true })
    })
    if (!now) return
    if (now.document_count > 0)
      return toast({
        title: 'Cannot delete project',
        description: 'Please delete all documents first.',
        destructive: true,
      })
    if (
      !(await confirm({
        title: `Delete the project “${project.name}”?`,
        about: `It can be restored for ${TRASH_DAYS} days.`,
        action: 'Delete project',
      }))
    )
      return
    // mutateAsync, because this page unmounts with the project and callbacks of `mutate` would not run.
    await deleting.mutateAsync(project.id).then(
      () => {
        toast({ title: 'Project deleted', action: undoProject(project.id) })
        void navigate({ to: pages.projects() })
      },
      (error: unknown) => toast({ title: 'Error deleting project', description: messageOf(error), destructive: true }),
    )
  }
  const paragraphs = (project.description ?? '')
    .split(/\n\s*\n/)
    .map((text) => text.trim())
    .filter(Boolean)
  return (
    <Page>
      <BackToProjects />
      <section className={styles.projectHead}>
        <CoverFrame>
          <ProjectCover project={project} shape="tall" />
        </CoverFrame>
        <div>
          <h1 title={project.name}>{project.name}</h1>
          <p className={cn(styles.dates, 'tabular-nums lining-nums')}>
            Created {shortDate(project.created_at)}
            <span className="dot-separator" />
            Updated {shortDate(project.updated_at)}
            <span className="dot-separator" />
            <Link className="text-link" to={pages.runs(project.address)}>
              Runs of models
            </Link>
          </p>
          {project.research_question ? (
            <p className={styles.question}>{project.research_question}</p>
          ) : (
            <p className="text-muted-foreground mt-4">No research question yet.</p>
          )}
        </div>
        {mayAdd || mayManage ? (
          <div className="flex items-center gap-2">
            {mayAdd ? (
              <Button asChild variant="primary">
                <Link to={pages.documents(project.address)}>Add papers</Link>
              </Button>
            ) : null}
            {mayManage ? (
              <>
                <Button onClick={() => setEditing(true)}>
                  <Pencil aria-hidden />
                  Edit
                </Button>
                <Button variant="danger" onClick={() => void remove()}>
                  Delete
                </Button>
              </>
            ) : null}
          </div>
        ) : null}
      </section>
      <section className={styles.tiles} aria-label="Contents">
        <Tile
          to={pages.documents(project.address)}
          name="Documents"
          count={project.document_count}
          about={project.document_count ? statuses : 'None uploaded yet'}
        />
        <Tile
          to={pages.feed(project.address)}
          name="Feeds"
          count={project.feed_count}
          about={project.feed_count ? 'Journals followed' : 'No journal followed yet'}
        />
        <Tile to={pages.reports(project.address)} name="Reports" count={0} about="None generated yet" />
        <Tile
          to={pages.people(project.address)}
          name="People"
          count={project.member_count}
          about={project.member_count > 1 ? `Your role: ${ROLE_WORDS[project.role].label}` : 'Only you'}
        />
      </section>
      {hint}
      <div className={styles.columns}>
        <div>
          <SectionRow>
            <h2>Description</h2>
            {paragraphs.length > 0 ? (
              <div className={styles.prose}>
                {paragraphs.map((text, index) => (
                  <p key={`${index} ${text}`}>{text}</p>
                ))}
              </div>
            ) : (
              <p className="text-muted-foreground leading-7">No description yet.</p>
            )}
          </SectionRow>
          {project.tags.length > 0 ? (
            <SectionRow>
              <h2>Tags</h2>
              <Chips>
                {project.tags.map((tag) => (
                  <Chip key={tag.id}>{tag.name}</Chip>
                ))}
              </Chips>
            </SectionRow>
          ) : null}
        </div>
        <section>
          <div className="flex items-baseline justify-between pt-5 pb-2.5">
            <SectionTitle>Recommended Research</SectionTitle>
            <Link className="text-link" to={pages.discover(project.address)}>
              Visit Discover
            </Link>
          </div>
          {recommended}
        </section>
      </div>
      <LazyProjectDialog
        project={project}
        open={editing}
        onOpenChange={setEditing}
        onSaved={(saved) =>
          saved.address !== project.address && void navigate({ to: pages.overview(saved.address), replace: true })
        }
      />
    </Page>
  )
}

function Tile({ to, name, count, about }: { to: string; name: string; count: number; about: ReactNode }) {
  return (
    <Link className={styles.tile} to={to}>
      <span className={styles.tileLabel}>
        {name}
        <ArrowRight aria-hidden />
      </span>
      <b>{grouped(count)}</b>
      <p>{about}</p>
    </Link>
  )
}
