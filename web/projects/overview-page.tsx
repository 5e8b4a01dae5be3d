import './projects.css'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, Pencil } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { KEPT_DAYS } from '#shared/contract/trash.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { shortDate } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { undoProject } from '#web/trash/index.ts'
import { Button } from '#web/ui/button.tsx'
import { Chip } from '#web/ui/marks.tsx'
import { BackToProjects } from './back-to-projects.tsx'
import { ProjectCover } from './project-cover.tsx'
import { ProjectDialog } from './project-dialog.tsx'
import { fetchProjectNow, useDeleteProject } from './queries.ts'

/**
 * The overview of a project: research question, description and counts. `statuses` shows document statuses,
 * `recommended` recommended papers.
 */
export function OverviewPage({
  project,
  statuses,
  recommended,
}: {
  project: Project
  statuses: ReactNode
  recommended: ReactNode
}) {
  useTitle(project.name)
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
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
        about: `It can be restored for ${KEPT_DAYS} days.`,
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
    <main className="page">
      <BackToProjects />
      <section className="entry">
        <div className="cover">
          <ProjectCover project={project} shape="tall" />
        </div>
        <div>
          <h1 title={project.name}>{project.name}</h1>
          <p className="dates num">
            Created {shortDate(project.created_at)}
            <span className="dotsep" />
            Updated {shortDate(project.updated_at)}
          </p>
          {project.research_question ? (
            <p className="question">{project.research_question}</p>
          ) : (
            <p className="quiet mt-4">No research question yet.</p>
          )}
        </div>
        <div className="flex items-center gap-2">
          <Button onClick={() => setEditing(true)}>
            <Pencil className="ic" aria-hidden />
            Edit
          </Button>
          <Button variant="danger" onClick={() => void remove()}>
            Delete
          </Button>
        </div>
      </section>
      <section className="tiles" aria-label="Contents">
        <Tile
          to={pages.documents(project.name)}
          name="Documents"
          count={project.document_count}
          about={project.document_count ? statuses : 'None uploaded yet'}
        />
        <Tile
          to={pages.feed(project.name)}
          name="Feeds"
          count={project.feed_count}
          about={project.feed_count ? 'Journals followed' : 'No journal followed yet'}
        />
        <Tile to={pages.reports(project.name)} name="Reports" count={0} about="None generated yet" />
      </section>
      <div className="split">
        <div>
          <section className="section-row">
            <h2>Description</h2>
            {paragraphs.length > 0 ? (
              <div className="prose">
                {paragraphs.map((text, index) => (
                  <p key={`${index} ${text}`}>{text}</p>
                ))}
              </div>
            ) : (
              <p className="quiet leading-7">No description yet.</p>
            )}
          </section>
          {project.tags.length > 0 ? (
            <section className="section-row">
              <h2>Tags</h2>
              <div className="chips">
                {project.tags.map((tag) => (
                  <Chip key={tag.id}>{tag.name}</Chip>
                ))}
              </div>
            </section>
          ) : null}
        </div>
        <section>
          <div className="panel-head">
            <h2 className="sec">Recommended Research</h2>
            <Link className="link" to={pages.discover(project.name)}>
              Visit Discover
            </Link>
          </div>
          {recommended}
        </section>
      </div>
      <ProjectDialog
        project={project}
        open={editing}
        onOpenChange={setEditing}
        onSaved={(saved) =>
          saved.name !== project.name && void navigate({ to: pages.overview(saved.name), replace: true })
        }
      />
    </main>
  )
}

function Tile({ to, name, count, about }: { to: string; name: string; count: number; about: ReactNode }) {
  return (
    <Link className="tile" to={to}>
      <span className="lab2">
        {name}
        <ArrowRight className="ic" aria-hidden />
      </span>
      <b>{count.toLocaleString('en-GB')}</b>
      <p>{about}</p>
    </Link>
  )
}
