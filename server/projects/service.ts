import { asActor, asActorWithDeleted, brokenConstraint, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { publish } from '#server/events/events.ts'
import { noteRemovedFiles, removeNow } from '#server/storage/removed-files.ts'
import type { Actor } from '#server/db/actor.ts'
import {
  PROJECT_NAME_TAKEN,
  type Project,
  type ProjectInput,
  type ProjectPatch,
  type ProjectsQuery,
  type Tag,
  type TagsQuery,
} from '#shared/contract/projects.ts'
import { heroImageKeys, refuseForeignPicture } from './hero-image-files.ts'
import {
  clearDefault,
  findProjectRow,
  hasDocuments,
  hideProjectRow,
  insertProjectRow,
  listProjectRows,
  listTagRows,
  lockDefault,
  lockProjectRow,
  promoteNewest,
  replaceProjectTags,
  swapHeroImage,
  tagIdsOf,
  updateProjectRow,
} from './queries.ts'

/** The message when a project with documents cannot be deleted. */
export const PROJECT_HAS_RECORDS =
  'Cannot delete this project because it has associated records. Please use the document manager to reassign them first.'

/** Lists the caller's projects. */
export const listProjects = (actor: Actor, query: ProjectsQuery): Promise<Project[]> =>
  asActor(actor, (tx) => listProjectRows(tx, query))

/** Lists the caller's tags. */
export const listTags = (actor: Actor, query: TagsQuery): Promise<Tag[]> =>
  asActor(actor, (tx) => listTagRows(tx, query))

/** Returns a project. Throws 'Project not found' when it does not exist or belongs to another user. */
export const getProject = (actor: Actor, id: string): Promise<Project> => asActor(actor, (tx) => projectOrThrow(tx, id))

/** Creates a project with its tags. A user's first project becomes the default. */
export function createProject(actor: Actor, input: ProjectInput): Promise<Project> {
  refuseForeignPicture(input.hero_image, null)
  return saving(actor, async (tx) => {
    await lockDefault(tx, actor.userId)
    const id = await insertProjectRow(tx, actor.userId, {
      name: input.name,
      description: input.description || null,
      research_question: input.research_question || null,
      hero_image: input.hero_image ?? null,
      process_automatically: input.process_automatically ?? false,
    })
    await replaceProjectTags(tx, id, await tagIdsOf(tx, actor.userId, input.tags ?? []))
    await publish(tx, actor.userId, { event: 'project', data: { id, change: 'created' } })
    return projectOrThrow(tx, id)
  })
}

/** Changes the given fields. `is_default: true` moves the default to this project. A replaced hero image is deleted. */
export async function updateProject(actor: Actor, id: string, patch: ProjectPatch): Promise<Project> {
  const { replaced, after } = await saving(actor, async (tx) => {
    const before = await projectOrThrow(tx, id)
    refuseForeignPicture(patch.hero_image, before.hero_image)
    const given = patch.hero_image === undefined ? null : await swapHeroImage(tx, id, patch.hero_image)
    const { tags, ...columns } = patch
    if (patch.is_default) {
      await lockDefault(tx, actor.userId)
      await clearDefault(tx, actor.userId)
    }
    await updateProjectRow(tx, id, {
      ...columns,
      ...(columns.description === undefined ? {} : { description: columns.description || null }),
      ...(columns.research_question === undefined ? {} : { research_question: columns.research_question || null }),
    })
    if (tags) await replaceProjectTags(tx, id, await tagIdsOf(tx, actor.userId, tags))
    await publish(tx, actor.userId, { event: 'project', data: { id, change: 'updated' } })
    const after = await projectOrThrow(tx, id)
    const replaced = given && given !== after.hero_image ? heroImageKeys(id, given) : []
    await noteRemovedFiles(tx, replaced)
    return { replaced, after }
  })
  await removeNow(replaced)
  return after
}

/**
 * Soft-deletes an empty project, which can be restored for thirty days. Throws 'conflict' for a project with documents.
 * If it was the default, the newest other project becomes the default.
 */
export function deleteProject(actor: Actor, id: string): Promise<void> {
  return asActorWithDeleted(actor, async (tx) => {
    await lockDefault(tx, actor.userId)
    // The lock waits for a document that is being moved into the project, and later ones find it deleted.
    const found = await lockProjectRow(tx, id)
    if (!found) throw notFound('Project')
    if (await hasDocuments(tx, id)) throw new AppError('conflict', PROJECT_HAS_RECORDS)
    await hideProjectRow(tx, id)
    if (found.is_default) await promoteNewest(tx, actor.userId)
    await publish(tx, actor.userId, { event: 'project', data: { id, change: 'deleted' } })
  })
}

/** Returns the project. Throws 'Project not found' when it does not exist or belongs to another user. */
export async function projectOrThrow(tx: Tx, id: string): Promise<Project> {
  const found = await findProjectRow(tx, id)
  if (!found) throw notFound('Project')
  return found
}

/** Runs `work` and turns a duplicate project name into a field error. */
async function saving<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await asActor(actor, work)
  } catch (error) {
    if (brokenConstraint(error) === 'projects_owner_name')
      throw new AppError('refused', PROJECT_NAME_TAKEN, { fields: { name: PROJECT_NAME_TAKEN }, cause: error })
    throw error
  }
}
