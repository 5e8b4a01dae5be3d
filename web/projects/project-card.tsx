import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ROLE_WORDS } from '#shared/contract/roles.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted, shortDate } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { CoverFrame } from '#web/ui/cover.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { Badge, Chip, Chips } from '#web/ui/marks.tsx'
import { ProjectCover } from './project-cover.tsx'
import { LazyProjectDialog } from './lazy-project-dialog.tsx'
import styles from './projects.module.css'
import { useUpdateProject } from './changes.ts'
import { useProjectDeletion } from './use-project-deletion.tsx'

/** A project card: cover, name, research question and menu. */
export function ProjectCard({ project }: { project: Project }) {
  const [editing, setEditing] = useState(false)
  const updating = useUpdateProject()
  const deletion = useProjectDeletion(project)
  const mayManage = project.may.includes('manage')
  const makeDefault = () =>
    whenDone(updating.mutateAsync({ id: project.id, patch: { is_default: true } }), {
      onSuccess: () =>
        toast({ title: 'Project updated', description: `“${project.name}” is now your default project.` }),
      onError: (error) => toast({ title: 'Error updating project', description: messageOf(error), destructive: true }),
    })
  return (
    <article className={styles.card} aria-label={project.name}>
      <Link to={pages.overview(project.address)} tabIndex={-1} aria-hidden>
        <CoverFrame>
          <ProjectCover project={project} shape="wide" />
        </CoverFrame>
      </Link>
      <div className={styles.cardBody}>
        <h2>
          <Link to={pages.overview(project.address)} className={styles.name} title={project.name}>
            {project.name}
          </Link>
          {project.owner_name === null ? null : <Badge>{ROLE_WORDS[project.role].label}</Badge>}
          {project.is_default ? <Badge>Default</Badge> : null}
        </h2>
        <p className={cn(styles.details, 'tabular-nums lining-nums')}>
          {project.owner_name === null ? null : <span>Owned by {project.owner_name}</span>}
          <span>
            Created {shortDate(project.created_at)}
            <span className="dot-separator" />
            {counted(project.document_count, 'document')}
          </span>
        </p>
        {project.research_question ? (
          <p className={styles.researchQuestion}>{project.research_question}</p>
        ) : (
          <p className={cn(styles.researchQuestion, styles.missing)}>No research question yet.</p>
        )}
        <Chips>
          {project.tags.map((tag) => (
            <Chip key={tag.id}>{tag.name}</Chip>
          ))}
        </Chips>
      </div>
      <div className={styles.actions}>
        <Button asChild size="sm">
          <Link to={pages.overview(project.address)}>Open</Link>
        </Button>
        {mayManage ? (
          <Button variant="ghost" size="sm" onClick={() => setEditing(true)}>
            Edit
          </Button>
        ) : null}
        <div className="ml-auto flex items-center gap-1">
          {mayManage ? (
            <Button variant="danger" size="sm" onClick={() => void deletion.begin()}>
              Delete
            </Button>
          ) : null}
          <Menu
            trigger={
              <IconButton label={`More for ${project.name}`}>
                <Ellipsis aria-hidden />
              </IconButton>
            }
          >
            <MenuItem disabled={project.is_default} onSelect={makeDefault}>
              Set as default
            </MenuItem>
          </Menu>
        </div>
      </div>
      <LazyProjectDialog project={project} open={editing} onOpenChange={setEditing} />
      {deletion.dialog}
    </article>
  )
}
