import { and, eq, ilike, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { userRssSubscription } from '#server/db/tables/feeds.ts'
import { projects, projectTags, tags } from '#server/db/tables/projects.ts'
import { containing } from '#server/db/like-pattern.ts'
import type { Project, ProjectsQuery, Tag, TagsQuery } from '#shared/contract/projects.ts'

// Qualified: in a select from one table drizzle writes bare column names, and `id` would mean the document's.
const documentCount = sql<number>`(select count(*)::int from ${documents} where ${documents}.project_id = ${projects}.id)`

const columns = {
  id: projects.id,
  name: projects.name,
  description: projects.description,
  hero_image: projects.hero_image,
  research_question: projects.research_question,
  is_default: projects.is_default,
  process_automatically: projects.process_automatically,
  created_at: projects.created_at,
  updated_at: projects.updated_at,
  owner_id: projects.owner_id,
  document_count: documentCount,
  feed_count: sql<number>`(select count(*)::int from ${userRssSubscription} where ${userRssSubscription}.project_id = ${projects}.id)`,
}

const sortColumns = {
  name: sql`lower(${projects.name})`,
  created_at: sql`${projects.created_at}`,
  updated_at: sql`${projects.updated_at}`,
}

/** The caller's projects in the requested order, filtered by exact name (trimmed, any case) or by a search text. */
export async function listProjectRows(tx: Tx, { name, search, order_by }: ProjectsQuery): Promise<Project[]> {
  const [field, direction] = order_by.split('.') as [keyof typeof sortColumns, 'asc' | 'desc' | undefined]
  const { description, research_question } = projects
  const rows = await tx
    .select(columns)
    .from(projects)
    .where(
      and(
        name === undefined ? undefined : sql`lower(${projects.name}) = lower(${name.trim()})`,
        search
          ? or(...[projects.name, description, research_question].map((column) => ilike(column, containing(search))))
          : undefined,
      ),
    )
    .orderBy(sql`${sortColumns[field]} ${sql.raw(direction === 'desc' ? 'desc' : 'asc')}`, projects.id)
  return withTags(tx, rows)
}

export async function findProjectRow(tx: Tx, id: string): Promise<Project | undefined> {
  const rows = await tx.select(columns).from(projects).where(eq(projects.id, id))
  return (await withTags(tx, rows))[0]
}

/** Inserts a project and returns its id. The owner's first project becomes the default. */
export async function insertProjectRow(
  tx: Tx,
  ownerId: string,
  row: Pick<
    typeof projects.$inferSelect,
    'name' | 'description' | 'research_question' | 'hero_image' | 'process_automatically'
  >,
): Promise<string> {
  const [created] = await tx
    .insert(projects)
    .values({
      ...row,
      owner_id: ownerId,
      is_default: sql`not exists (select 1 from ${projects} where ${projects.owner_id} = ${ownerId})`,
    })
    .returning({ id: projects.id })
  return created!.id
}

/** Changes a project. Returns false when it does not exist. */
export async function updateProjectRow(
  tx: Tx,
  id: string,
  patch: Partial<typeof projects.$inferInsert>,
): Promise<boolean> {
  const rows = await tx
    .update(projects)
    .set({ ...patch, updated_at: sql`now()` })
    .where(eq(projects.id, id))
    .returning({ id: projects.id })
  return rows.length > 0
}

/** Replaces a project's hero image (null for none). Returns the previous address, or undefined without the project. */
export async function swapHeroImage(tx: Tx, id: string, url: string | null): Promise<string | null | undefined> {
  const [before] = await tx
    .select({ hero_image: projects.hero_image })
    .from(projects)
    .where(eq(projects.id, id))
    .for('update')
  if (!before) return undefined
  await updateProjectRow(tx, id, { hero_image: url })
  return before.hero_image
}

/** Advisory lock so that a user always has exactly one default project. */
export async function lockDefault(tx: Tx, ownerId: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`lectern:default:${ownerId}`}))`)
}

/** Removes the default mark from the owner's default project. Needs `lockDefault`. */
export async function clearDefault(tx: Tx, ownerId: string) {
  await tx
    .update(projects)
    .set({ is_default: false })
    .where(and(eq(projects.owner_id, ownerId), eq(projects.is_default, true)))
}

/** Locks a project that is not deleted, also against new references to it, until the transaction ends. */
export async function lockProjectRow(tx: Tx, id: string): Promise<{ is_default: boolean } | undefined> {
  const [row] = await tx
    .select({ is_default: projects.is_default })
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deleted_at)))
    .for('update')
  return row
}

/** Returns true if the project has documents. Deleted documents do not count. */
export async function hasDocuments(tx: Tx, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.project_id, id), isNull(documents.deleted_at)))
    .limit(1)
  return found.length > 0
}

/** Soft-deletes a project. Needs `asActorWithDeleted`. */
export async function hideProjectRow(tx: Tx, id: string) {
  await tx
    .update(projects)
    .set({ deleted_at: sql`now()`, is_default: false })
    .where(eq(projects.id, id))
}

/** Makes the newest remaining project the default. */
export async function promoteNewest(tx: Tx, ownerId: string) {
  await tx.execute(
    sql`update ${projects} set is_default = true where id = (select id from ${projects} where owner_id = ${ownerId} and deleted_at is null order by created_at desc limit 1)`,
  )
}

/** The caller's tags by name, filtered by `search`. */
export async function listTagRows(tx: Tx, { search, order_by }: TagsQuery): Promise<Tag[]> {
  return tx
    .select({ id: tags.id, name: tags.name })
    .from(tags)
    .where(search ? ilike(tags.name, containing(search)) : undefined)
    .orderBy(sql`lower(${tags.name}) ${sql.raw(order_by.endsWith('.desc') ? 'desc' : 'asc')}`, tags.id)
}

/** Returns the ids of the caller's tags with these names (any case). Creates missing tags and ignores blank names. */
export async function tagIdsOf(tx: Tx, ownerId: string, names: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(names.map((name) => name.trim()))].filter(Boolean)
  if (wanted.length === 0) return []
  // The first of several spellings wins. Only the database compares them, by its unique index: JavaScript and
  // PostgreSQL write Σ and İ differently in lower case.
  await tx
    .insert(tags)
    .values(wanted.map((name) => ({ owner_id: ownerId, name })))
    .onConflictDoNothing()
  const lowered = wanted.map((name) => sql`lower(${name})`)
  const rows = await tx
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.owner_id, ownerId), inArray(sql`lower(${tags.name})`, lowered)))
  return rows.map((row) => row.id)
}

export async function replaceProjectTags(tx: Tx, projectId: string, tagIds: readonly string[]) {
  await tx.delete(projectTags).where(eq(projectTags.project_id, projectId))
  if (tagIds.length > 0)
    await tx.insert(projectTags).values(tagIds.map((tag_id) => ({ project_id: projectId, tag_id })))
}

async function withTags(tx: Tx, rows: Omit<Project, 'tags'>[]): Promise<Project[]> {
  if (rows.length === 0) return []
  const links = await tx
    .select({ project_id: projectTags.project_id, id: tags.id, name: tags.name })
    .from(projectTags)
    .innerJoin(tags, eq(tags.id, projectTags.tag_id))
    .where(
      inArray(
        projectTags.project_id,
        rows.map((row) => row.id),
      ),
    )
    .orderBy(sql`lower(${tags.name})`)
  return rows.map((row) => ({
    ...row,
    tags: links.filter((link) => link.project_id === row.id).map(({ id, name }) => ({ id, name })),
  }))
}
