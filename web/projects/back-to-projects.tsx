import { Link } from '@tanstack/react-router'
import { pages } from '#shared/paths.ts'

/** Stands at the top of every page of a project. */
export const BackToProjects = () => (
  <Link to={pages.projects()} className="back">
    ← Back to projects
  </Link>
)
