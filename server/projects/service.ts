import { asActor, brokenConstraint, type Tx } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { publish } from '#server/lib/events.ts'
import type { Actor } from '#server/lib/session.ts'
import { PROJECT_NAME_TAKEN, type Project, type ProjectInput, type ProjectPatch, type Tag } from '#shared/projects.ts'
import { refuseForeignPicture, removeHeroImage } from './hero-image-files.ts'
import {
  clearDefault,
  deleteProjectRow,
  findProjectRow,
  insertProjectRow,
  listProjectRows,
  listTagRows,
  lockDefault,
  promoteNewest,
  replaceProjectTags,
  swapHeroImage,
  tagIdsOf,
  updateProjectRow,
} from './queries.ts'

/** Said when a project cannot go because records are linked to it. */
export const PROJECT_HAS_RECORDS =
  'Cannot delete this project because it has associated records. Please use the document manager to reassign them first.'

export const listProjects = (actor: Actor, name?: string): Promise<Project[]> =>
  asActor(actor, (tx) => listProjectRows(tx, name))

export const listTags = (actor: Actor): Promise<Tag[]> => asActor(actor, listTagRows)

export const getProject = (actor: Actor, id: string): Promise<Project> => asActor(actor, (tx) => projectOrThrow(tx, id))

/** Creates a project with its tags; the first one of a person is their default. */
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

/** Changes what is given; `is_default: true` moves the flag here, and a picture that gives way is deleted. */
export async function updateProject(actor: Actor, id: string, patch: ProjectPatch): Promise<Project> {
  const { replaced, after } = await saving(actor, async (tx) => {
    const before = await projectOrThrow(tx, id)
    refuseForeignPicture(patch.hero_image, before.hero_image)
    const replaced = patch.hero_image === undefined ? null : await swapHeroImage(tx, id, patch.hero_image)
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
    return { replaced, after: await projectOrThrow(tx, id) }
  })
  if (replaced && after.hero_image !== replaced) await removeHeroImage(id, replaced)
  return after
}

/** Deletes an empty project and its picture; one with documents is refused. The newest other project becomes the default if this one was. */
export async function deleteProject(actor: Actor, id: string): Promise<void> {
  const gone = await asActor(actor, async (tx) => {
    await lockDefault(tx, actor.userId)
    const found = await projectOrThrow(tx, id)
    if (found.document_count > 0) throw new AppError('conflict', PROJECT_HAS_RECORDS)
    await deleteProjectRow(tx, id)
    if (found.is_default) await promoteNewest(tx, actor.userId)
    await publish(tx, actor.userId, { event: 'project', data: { id, change: 'deleted' } })
    return found
  }).catch((error: unknown) => {
    // A document that arrived between the look and the deletion is held by the foreign key.
    if (brokenConstraint(error) === 'documents_project_of_owner')
      throw new AppError('conflict', PROJECT_HAS_RECORDS, { cause: error })
    throw error
  })
  await removeHeroImage(id, gone.hero_image)
}

/** The project, or 'Project not found' when it is not there or not the caller's. */
export async function projectOrThrow(tx: Tx, id: string): Promise<Project> {
  const found = await findProjectRow(tx, id)
  if (!found) throw notFound('Project')
  return found
}

/** Says that a project's name is taken as a field error. */
async function saving<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await asActor(actor, work)
  } catch (error) {
    if (brokenConstraint(error) === 'projects_owner_name')
      throw new AppError('refused', PROJECT_NAME_TAKEN, { fields: { name: PROJECT_NAME_TAKEN }, cause: error })
    throw error
  }
}
