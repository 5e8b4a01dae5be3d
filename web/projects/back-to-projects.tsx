import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'

/** The back link at the top of every project page. */
export const BackToProjects = () => (
  <Link to={pages.projects()} className="back-link">
    ← Back to projects
  </Link>
)
