import { randomUUID } from 'node:crypto'
import { and, eq, ilike, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { documents } from '#server/db/tables/documents.ts'
import { userRssSubscription } from '#server/db/tables/feeds.ts'
import { projects, projectTags, tags } from '#server/db/tables/projects.ts'
import { addressIn, isDefault, listNames, mayIn, memberCount, roleIn, type Authorized } from '#server/members/index.ts'
import { containing } from '#server/db/like-pattern.ts'
import { AppError } from '#server/lib/errors.ts'
import { readUnambiguousAddress } from '#shared/contract/project-address.ts'
import { ROLE_TOO_SMALL } from '#shared/contract/roles.ts'
import type { Project, ProjectsQuery } from '#shared/contract/projects.ts'

// Qualified: in a select from one table drizzle writes bare column names, and `id` would mean the document's.
const PROJECT_ID = sql`${projects}.id`
const documentCount = sql<number>`(select count(*)::int from ${documents} where ${documents}.project_id = ${projects}.id)`

const columns = {
  id: projects.id,
  name: projects.name,
  address: addressIn(projects),
  description: projects.description,
  hero_image: projects.hero_image,
  research_question: projects.research_question,
  citation_style: projects.citation_style,
  citation_language: projects.citation_language,
  is_default: isDefault(PROJECT_ID),
  process_automatically: projects.process_automatically,
  created_at: projects.created_at,
  updated_at: projects.updated_at,
  version: projects.version,
  owner_id: projects.owner_id,
  /** The `owner_id` if the project belongs to another user; null for the caller's own projects. */
  other_owner: sql<string | null>`nullif(${projects.owner_id}, coalesce(app_user_id(), ${projects.owner_id}))`,
  document_count: documentCount,
  feed_count: sql<number>`(select count(*)::int from ${userRssSubscription} where ${userRssSubscription}.project_id = ${projects}.id)`,
  member_count: memberCount(PROJECT_ID),
  role: roleIn(PROJECT_ID),
  may: mayIn(PROJECT_ID),
}

const sortColumns = {
  name: sql`lower(${projects.name})`,
  created_at: sql`${projects.created_at}`,
  updated_at: sql`${projects.updated_at}`,
}

/**
 * Returns the caller's projects in the requested order, filtered by exact name (trimmed, ignoring case), address or search
 * text.
 */
export async function listProjectRows(tx: Tx, { name, address, search, order_by }: ProjectsQuery): Promise<Project[]> {
  const [field, direction] = order_by.split('.') as [keyof typeof sortColumns, 'asc' | 'desc' | undefined]
  const { description, research_question } = projects
  const rows = await tx
    .select(columns)
    .from(projects)
    .where(
      and(
        address === undefined ? undefined : sql`${projects}.id = ${idAtAddress(address.trim())}`,
        name === undefined ? undefined : sql`lower(${projects.name}) = lower(${name.trim()})`,
        search
          ? or(...[projects.name, description, research_question].map((column) => ilike(column, containing(search))))
          : undefined,
      ),
    )
    .orderBy(sql`${sortColumns[field]} ${sql.raw(direction === 'desc' ? 'desc' : 'asc')}`, projects.id)
  return complete(tx, rows)
}

/**
 * Returns SQL for the id of the project at an address, which is a name, or a name, '~' and four digits of the id. If several
 * match, prefers a project with exactly this name, then a project of the caller, then the longest membership.
 */
function idAtAddress(address: string): SQL {
  const { name, digits } = readUnambiguousAddress(address) ?? { name: address, digits: '' }
  const isNamed = sql`lower(named.name) = lower(${address})`
  return sql`(
    select named.id from ${projects} named
    join project_members member on member.project_id = named.id and member.user_id = app_user_id()
    where ${isNamed} or lower(named.name) = lower(${name}) and left(named.id::text, 4) = ${digits}
    order by ${isNamed} desc, named.owner_id = app_user_id() desc, member.added_at, named.id limit 1)`
}

/** The id of a project and the rights of the caller in it. */
export type ProjectRights = Pick<Project, 'id' | 'may'>

/** Returns the caller's rights in a project that the caller may see, or undefined. */
export async function findProjectRights(tx: Tx, id: string): Promise<ProjectRights | undefined> {
  const [row] = await tx
    .select({ id: projects.id, may: mayIn(PROJECT_ID) })
    .from(projects)
    .where(eq(projects.id, id))
  return row
}

/** Returns a project that the caller may see, or undefined. */
export async function findProjectRow(tx: Tx, id: string): Promise<Project | undefined> {
  const rows = await tx.select(columns).from(projects).where(eq(projects.id, id))
  return (await complete(tx, rows))[0]
}

/**
 * Inserts a project and returns its id. Database triggers make its owner a member, and make the owner's first project the
 * default project. Does not return the row, because row-level security shows it only to members.
 */
export async function insertProjectRow(
  tx: Tx,
  ownerId: string,
  row: Pick<
    typeof projects.$inferSelect,
    | 'name'
    | 'description'
    | 'research_question'
    | 'hero_image'
    | 'process_automatically'
    | 'citation_style'
    | 'citation_language'
  >,
): Promise<string> {
  const id = randomUUID()
  await tx.insert(projects).values({ ...row, id, owner_id: ownerId })
  return id
}

/** Changes a locked project. Throws 'role' if the caller has lost the right to change it since it was locked. */
export async function updateProjectRow(
  tx: Tx,
  { id }: Authorized<Pick<Project, 'id'>>,
  patch: Partial<typeof projects.$inferInsert>,
): Promise<void> {
  const rows = await tx
    .update(projects)
    .set({ ...patch, updated_at: sql`now()` })
    .where(eq(projects.id, id))
    .returning({ id: projects.id })
  if (rows.length === 0) throw new AppError('role', ROLE_TOO_SMALL)
}

/** Replaces the address of a hero image (null: none). Returns the old address, or undefined without the project. */
export async function swapHeroImage(
  tx: Tx,
  project: Authorized<Pick<Project, 'id'>>,
  url: string | null,
): Promise<string | null | undefined> {
  const [before] = await tx
    .select({ hero_image: projects.hero_image })
    .from(projects)
    .where(eq(projects.id, project.id))
    .for('update')
  if (!before) return undefined
  await updateProjectRow(tx, project, { hero_image: url })
  return before.hero_image
}

/** Returns the name of a project. */
export async function findProjectName(tx: Tx, id: string): Promise<string> {
  const [row] = await tx.select({ name: projects.name }).from(projects).where(eq(projects.id, id))
  return row!.name
}

/**
 * Returns the names, in lower case, of the projects with the user as `owner_id`, except the project `without`. Omits projects
 * in the trash.
 */
export async function listOwnNames(tx: Tx, userId: string, without: string): Promise<Set<string>> {
  const rows = await tx
    .select({ name: sql<string>`lower(${projects.name})` })
    .from(projects)
    .where(and(eq(projects.owner_id, userId), isNull(projects.deleted_at), ne(projects.id, without)))
  return new Set(rows.map(({ name }) => name))
}

/** Changes the `owner_id` and the name of a project. */
export async function setOwner(tx: Tx, id: string, ownerId: string, name: string): Promise<void> {
  await tx
    .update(projects)
    .set({ owner_id: ownerId, name, updated_at: sql`now()` })
    .where(eq(projects.id, id))
}

/** Locks a project until the transaction ends, so that no new row can refer to it. Undefined if it is in the trash. */
export async function lockProjectRow(
  tx: Tx,
  id: string,
): Promise<Pick<typeof projects.$inferSelect, 'id' | 'field_versions'> | undefined> {
  const [row] = await tx
    .select({ id: projects.id, field_versions: projects.field_versions })
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deleted_at)))
    .for('update')
  return row
}

/** Records a change of fields without a column, such as tags: increments the versions of the project and of these fields. */
export async function countFieldChanges(tx: Tx, id: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const next = sql`${projects.version} + 1`
  const versions = sql`(select jsonb_object_agg(name, ${next}) from unnest(${sql.param([...names])}::text[]) name)`
  await tx
    .update(projects)
    .set({ version: next, field_versions: sql`${projects.field_versions} || ${versions}` })
    .where(eq(projects.id, id))
}

/** Returns whether the project has documents. Documents in the trash do not count. */
export async function hasDocuments(tx: Tx, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.project_id, id), isNull(documents.deleted_at)))
    .limit(1)
  return found.length > 0
}

/** Soft-deletes a project. Needs a transaction of `asActorWithDeleted`, in which soft-deleted rows are visible. */
export async function hideProjectRow(tx: Tx, { id }: Authorized<Pick<Project, 'id'>>) {
  await tx
    .update(projects)
    .set({ deleted_at: sql`now()` })
    .where(eq(projects.id, id))
}

type ProjectRow = Omit<Project, 'tags' | 'owner_name'> & { other_owner: string | null }

/** Adds their tags, and the names of owners other than the caller, to projects. */
async function complete(tx: Tx, rows: ProjectRow[]): Promise<Project[]> {
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
  const others = rows.flatMap(({ other_owner }) => other_owner ?? [])
  const names = others.length > 0 ? await withOwnerRole(tx, () => listNames(tx, others)) : null
  return rows.map(({ other_owner, ...row }) => ({
    ...row,
    owner_name: (other_owner && names?.get(other_owner)) ?? null,
    tags: links.filter((link) => link.project_id === row.id).map(({ id, name }) => ({ id, name })),
  }))
}
