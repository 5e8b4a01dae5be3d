import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted, shortDate } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { Badge, Chip } from '#web/ui/marks.tsx'
import { ProjectCover } from './project-cover.tsx'
import { ProjectDialog } from './project-dialog.tsx'
import { useUpdateProject } from './queries.ts'
import { useProjectDeletion } from './use-project-deletion.tsx'

/** A project card: cover, name, research question and menu. */
export function ProjectCard({ project }: { project: Project }) {
  const [editing, setEditing] = useState(false)
  const updating = useUpdateProject()
  const deletion = useProjectDeletion(project)
  const makeDefault = () =>
    whenDone(updating.mutateAsync({ id: project.id, patch: { is_default: true } }), {
      onSuccess: () =>
        toast({ title: 'Project updated', description: `“${project.name}” is now your default project.` }),
      onError: (error) => toast({ title: 'Error updating project', description: messageOf(error), destructive: true }),
    })
  return (
    <article className="project" aria-label={project.name}>
      <Link to={pages.overview(project.name)} className="cover" tabIndex={-1} aria-hidden>
        <ProjectCover project={project} shape="wide" />
      </Link>
      <div className="body">
        <h2>
          <Link to={pages.overview(project.name)} className="name" title={project.name}>
            {project.name}
          </Link>
          {project.is_default ? <Badge>Default</Badge> : null}
        </h2>
        <p className="meta num">
          Created {shortDate(project.created_at)}
          <span className="dotsep" />
          {counted(project.document_count, 'document')}
        </p>
        {project.research_question ? (
          <p className="rq">{project.research_question}</p>
        ) : (
          <p className="rq none">No research question yet.</p>
        )}
        <div className="chips">
          {project.tags.map((tag) => (
            <Chip key={tag.id}>{tag.name}</Chip>
          ))}
        </div>
      </div>
      <div className="acts">
        <Button asChild size="sm">
          <Link to={pages.overview(project.name)}>Open</Link>
        </Button>
        <Button variant="ghost" size="sm" onClick={() => setEditing(true)}>
          Edit
        </Button>
        <Button variant="danger" size="sm" onClick={() => void deletion.begin()}>
          Delete
        </Button>
        <Menu
          trigger={
            <IconButton label={`More for ${project.name}`}>
              <Ellipsis className="ic" aria-hidden />
            </IconButton>
          }
        >
          <MenuItem disabled={project.is_default} onSelect={makeDefault}>
            Set as default
          </MenuItem>
        </Menu>
      </div>
      <ProjectDialog project={project} open={editing} onOpenChange={setEditing} />
      {deletion.dialog}
    </article>
  )
}
