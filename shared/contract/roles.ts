import { z } from 'zod'

/** The roles of a project's members, from the fewest rights to all. */
export const PROJECT_ROLES = ['viewer', 'commenter', 'reviewer', 'editor', 'resolver', 'owner'] as const
export const projectRole = z.enum(PROJECT_ROLES)
export type ProjectRole = z.output<typeof projectRole>

/**
 * The rights in a project. read: see and export everything that the project shows. comment: comments and annotations for
 * the project. ask: chat and other model calls. review: screening and extraction. edit: papers, tags, feeds,
 * recommendations and analyses. resolve: conflicts. manage: members, settings and deletion of the project.
 */
const PROJECT_RIGHTS = ['read', 'comment', 'ask', 'review', 'edit', 'resolve', 'manage'] as const
export const projectRight = z.enum(PROJECT_RIGHTS)
export type ProjectRight = z.output<typeof projectRight>

/** The name of each role on screens, and its rights in one line. */
export const ROLE_WORDS: Readonly<Record<ProjectRole, { label: string; about: string }>> = {
  viewer: { label: 'Viewer', about: 'Reads and exports the project.' },
  commenter: { label: 'Commenter', about: 'Reads and comments.' },
  reviewer: { label: 'Reviewer', about: 'Reads, comments, screens papers and asks questions.' },
  editor: { label: 'Editor', about: 'As a reviewer, and adds and changes papers, tags, feeds and analyses.' },
  resolver: { label: 'Resolver', about: 'As an editor, and resolves conflicts.' },
  owner: { label: 'Owner', about: 'All rights: also people, roles, settings and the deletion of the project.' },
}

/** The error for a member whose role does not include the action. */
export const ROLE_TOO_SMALL = 'You may read this project but not change it.'

/** The rights of each role. The SQL function `app_rights` has the same table; a test compares both. */
export const RIGHTS_OF: Readonly<Record<ProjectRole, readonly ProjectRight[]>> = {
  viewer: ['read'],
  commenter: ['read', 'comment'],
  reviewer: ['read', 'comment', 'ask', 'review'],
  editor: ['read', 'comment', 'ask', 'review', 'edit'],
  resolver: ['read', 'comment', 'ask', 'review', 'edit', 'resolve'],
  owner: PROJECT_RIGHTS,
}
