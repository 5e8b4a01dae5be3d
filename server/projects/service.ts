import { asActor, asActorWithDeleted, brokenConstraint, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { refuseUnknownStyle } from '#server/citations/index.ts'
import { publish } from '#server/events/events.ts'
import { noteRemovedFiles, removeNow } from '#server/storage/removed-files.ts'
import type { Actor } from '#server/db/actor.ts'
import { ADDRESS_TAKEN, NAME_LIKE_ADDRESS, readUnambiguousAddress } from '#shared/contract/project-address.ts'
import {
  PROJECT_NAME_TAKEN,
  type ListedTag,
  type Project,
  type ProjectInput,
  type ProjectPatch,
  type ProjectsQuery,
  type TagsQuery,
} from '#shared/contract/projects.ts'
import {
  authorize,
  type Authorized,
  lockDefault,
  noteVisit,
  replaceDefault,
  setDefault,
} from '#server/members/index.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import { heroImageKeys, refuseForeignPicture } from './hero-image-files.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import {
  countFieldChanges,
  findProjectRights,
  findProjectRow,
  hasDocuments,
  hideProjectRow,
  insertProjectRow,
  listProjectRows,
  lockProjectRow,
  type ProjectRights,
  swapHeroImage,
  updateProjectRow,
} from './queries.ts'
import { listTagRows, replaceProjectTags, tagIdsOf } from './tag-queries.ts'

/** Error message if a project with documents cannot be deleted. */
export const PROJECT_HAS_RECORDS =
  'Cannot delete this project because it has associated records. Please use the document manager to reassign them first.'

/**
 * Returns the caller's projects. With `query.address`, also records a visit of the found project, because the project's page
 * reads it by its address.
 */
export async function listProjects(actor: Actor, query: ProjectsQuery): Promise<Project[]> {
  const rows = await asActor(actor, (tx) => listProjectRows(tx, query))
  if (query.address !== undefined && rows[0]) await noteVisit(actor, rows[0].id)
  return rows
}

/**
 * Returns the tags of a project, or the tags of all projects that the caller may read if the query has no project. Throws
 * 'not_found'.
 */
export const listTags = (actor: Actor, query: TagsQuery): Promise<ListedTag[]> =>
  asActor(actor, async (tx) => {
    if (query.project_id) await projectOrThrow(tx, query.project_id, 'read')
    return listTagRows(tx, query)
  })

/** Returns a project and records a visit of it. Throws 'not_found' if it does not exist or the caller is not a member. */
export async function getProject(actor: Actor, id: string): Promise<Project> {
  const project = await asActor(actor, (tx) => projectOrThrow(tx, id, 'read'))
  await noteVisit(actor, id)
  return project
}

/** Creates a project with its tags. A user's first project becomes the user's default project. */
export async function createProject(actor: Actor, input: ProjectInput): Promise<Project> {
  refuseForeignPicture(input.hero_image, null)
  refuseNameLikeAddress(input.name)
  await refuseUnknownStyle(actor, input)
  return withFreeAddress(() => insertProject(actor, input))
}

function insertProject(actor: Actor, input: ProjectInput): Promise<Project> {
  return saving(actor, async (tx) => {
    await lockDefault(tx, actor.userId)
    const id = await insertProjectRow(tx, actor.userId, {
      name: input.name,
      description: input.description || null,
      research_question: input.research_question || null,
      hero_image: input.hero_image ?? null,
      process_automatically: input.process_automatically ?? false,
      citation_style: input.citation_style ?? null,
      citation_language: input.citation_language ?? null,
    })
    const project = await projectOrThrow(tx, id, 'manage')
    const tagIds = await tagIdsOf(tx, { projectId: id, userId: actor.userId }, input.tags ?? [])
    await replaceProjectTags(tx, project, tagIds)
    await publish(tx, { projectId: id }, { event: 'project', data: { id, change: 'created' } })
    return projectOrThrow(tx, id, 'read')
  })
}

/**
 * Changes the given fields. `is_default: true` makes the project the caller's default project; every member may set it. Removes
 * the files of a replaced hero image. Throws 'changed' if a field has been changed after the version of the patch.
 */
export async function updateProject(actor: Actor, id: string, patch: ProjectPatch): Promise<Project> {
  await refuseUnknownStyle(actor, patch)
  const { replaced, after } = await saving(actor, async (tx) => {
    const { is_default, tags, version, ...columns } = patch
    const settings = Object.keys(patch).some((name) => name !== 'is_default' && name !== 'version')
    const locked = settings ? await lockProjectRow(tx, id) : undefined
    const before = await projectOrThrow(tx, id, settings ? 'manage' : 'read')
    if (is_default) await setDefault(tx, actor.userId, id)
    if (!settings) {
      await publish(tx, { userId: actor.userId }, { event: 'project', data: { id, change: 'updated' } })
      return { replaced: [], after: await projectOrThrow(tx, id, 'read') }
    }
    if (locked) {
      const row = { ...before, ...locked, tags: sorted(before.tags.map(({ name }) => name)) }
      refuseStaleChange(row, { ...columns, tags: tags && sorted(tags) }, version, () => before)
    }
    refuseForeignPicture(patch.hero_image, before.hero_image)
    if (patch.name !== before.name) refuseNameLikeAddress(patch.name)
    const given = patch.hero_image === undefined ? null : await swapHeroImage(tx, before, patch.hero_image)
    await updateProjectRow(tx, before, {
      ...columns,
      ...(columns.description === undefined ? {} : { description: columns.description || null }),
      ...(columns.research_question === undefined ? {} : { research_question: columns.research_question || null }),
    })
    if (tags) await changeTags(tx, actor, before, tags)
    await publish(tx, { projectId: id }, { event: 'project', data: { id, change: 'updated' } })
    const after = await projectOrThrow(tx, id, 'read')
    const replaced = given && given !== after.hero_image ? heroImageKeys(id, given) : []
    await noteRemovedFiles(tx, replaced)
    return { replaced, after }
  })
  await removeNow(replaced)
  return after
}

/**
 * Soft-deletes an empty project, which can be restored for thirty days. Throws 'conflict' for a project with documents. For
 * members whose default project it was, their newest other project becomes the default.
 */
export function deleteProject(actor: Actor, id: string): Promise<void> {
  return asActorWithDeleted(actor, async (tx) => {
    const project = await projectOrThrow(tx, id, 'manage')
    // The lock waits for a document that is being moved into the project, and later ones find it deleted.
    if (!(await lockProjectRow(tx, id))) throw notFound('Project')
    if (await hasDocuments(tx, id)) throw new AppError('conflict', PROJECT_HAS_RECORDS)
    await hideProjectRow(tx, project)
    await replaceDefault(tx, id)
    await publish(tx, { membersOf: id }, { event: 'project', data: { id, change: 'deleted' } })
  })
}

/**
 * Returns the project for an action that needs `right`. Throws 'not_found' if it does not exist or the caller is not a member,
 * and 'role' without the right.
 */
export async function projectOrThrow(tx: Tx, id: string, right: ProjectRight): Promise<Authorized<Project>> {
  return authorize(await findProjectRow(tx, id), right, 'Project')
}

/**
 * Returns only the id and the rights of a project, for an action that needs `right`. Throws 'not_found' if the project does not
 * exist or the caller is not a member, and 'role' without the right. It is faster than `projectOrThrow`, which also counts
 * papers, feeds and members.
 */
export async function checkProject(tx: Tx, id: string, right: ProjectRight): Promise<Authorized<ProjectRights>> {
  return authorize(await findProjectRights(tx, id), right, 'Project')
}

/**
 * Throws 'refused' if a new name has the form name, '~' and four digits, which is reserved for addresses of projects with equal
 * names.
 */
function refuseNameLikeAddress(name = ''): void {
  if (readUnambiguousAddress(name))
    throw new AppError('refused', NAME_LIKE_ADDRESS, { fields: { name: NAME_LIKE_ADDRESS } })
}

const sorted = (names: readonly string[]) =>
  names
    .map((name) => name.trim())
    .filter(Boolean)
    .toSorted()

/** Replaces the tags of a locked project. If they change, increments the version of the field `tags`. */
async function changeTags(tx: Tx, actor: Actor, project: Authorized<Project>, names: readonly string[]) {
  const { id, tags } = project
  const ids = await tagIdsOf(tx, { projectId: id, userId: actor.userId }, names)
  if (new Set([...ids, ...tags.map((tag) => tag.id)]).size === ids.length && ids.length === tags.length) return
  await replaceProjectTags(tx, project, ids)
  await countFieldChanges(tx, project.id, ['tags'])
}

/** Name of the database constraint that prevents two projects of the same name from having the same address. */
const UNAMBIGUOUS_ADDRESS = 'projects_unambiguous_address'
const NAME_ERRORS: Readonly<Record<string, string>> = {
  projects_owner_name: PROJECT_NAME_TAKEN,
  [UNAMBIGUOUS_ADDRESS]: ADDRESS_TAKEN,
}

/**
 * Maximum number of ids that the creation of a project tries. With 5,000 projects of the same name, 8 % of the random ids
 * result in an address that is already used.
 */
const MOST_IDS = 8

/** Calls `create`, and repeats it with another random id while the project's address is already used, up to MOST_IDS times. */
async function withFreeAddress(create: () => Promise<Project>): Promise<Project> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create()
    } catch (error) {
      const isTaken = error instanceof AppError && brokenConstraint(error.cause) === UNAMBIGUOUS_ADDRESS
      if (attempt === MOST_IDS || !isTaken) throw error
    }
  }
}

/**
 * Runs `work` in a transaction of the caller. Throws 'refused' with a message for the field `name` if the project's name or
 * address is already used.
 */
async function saving<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await asActor(actor, work)
  } catch (error) {
    const message = NAME_ERRORS[brokenConstraint(error) ?? '']
    if (message) throw new AppError('refused', message, { fields: { name: message }, cause: error })
    throw error
  }
}
