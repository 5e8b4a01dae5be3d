import { and, eq, ilike, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { containing } from '#server/db/like-pattern.ts'
import { projectTags, tags } from '#server/db/tables/projects.ts'
import { type Authorized, mayIn } from '#server/members/index.ts'
import type { ListedTag, Project, TagsQuery } from '#shared/contract/projects.ts'

/**
 * Returns the tags of a project, sorted by name. Without a project, returns the tags of all projects that the caller may read,
 * each name once (ignoring case). `search` is a part of the name.
 */
export async function listTagRows(tx: Tx, { project_id, search, order_by }: TagsQuery): Promise<ListedTag[]> {
  const named = tx
    .selectDistinctOn([sql`lower(${tags.name})`], {
      id: tags.id,
      name: tags.name,
      may: mayIn(sql`${tags}.project_id`).as('may'),
    })
    .from(tags)
    .where(
      and(
        project_id ? eq(tags.project_id, project_id) : undefined,
        search ? ilike(tags.name, containing(search)) : undefined,
      ),
    )
    .orderBy(sql`lower(${tags.name})`, tags.created_at, tags.id)
    .as('named')
  return tx
    .select({ id: named.id, name: named.name, may: named.may })
    .from(named)
    .orderBy(sql`lower(${named.name}) ${sql.raw(order_by.endsWith('.desc') ? 'desc' : 'asc')}`, named.id)
}

/** Where a tag exists: in a project, or, without a project, for the documents of a user that are in no project. */
export interface TagScope {
  projectId: string | null
  userId: string
}

/** Returns the ids of the tags in `scope` with these names, ignoring case. Creates missing tags, and skips blank names. */
export async function tagIdsOf(tx: Tx, { projectId, userId }: TagScope, names: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(names.map((name) => name.trim()))].filter(Boolean)
  if (wanted.length === 0) return []
  // The first of several spellings wins. Only the database compares them, by its unique index: JavaScript and
  // PostgreSQL write Σ and İ differently in lower case.
  // Inserts in the order of this index, because concurrent insertions of the same names in different orders end in a deadlock.
  await tx.execute(sql`insert into ${tags} (created_by, project_id, name)
    select ${userId}, ${projectId}::uuid, name from unnest(${sql.param(wanted)}::text[]) with ordinality given (name, place)
    order by lower(name), place on conflict do nothing`)
  const lowered = wanted.map((name) => sql`lower(${name})`)
  const inScope =
    projectId === null ? and(isNull(tags.project_id), eq(tags.owner_id, userId)) : eq(tags.project_id, projectId)
  const rows = await tx
    .select({ id: tags.id })
    .from(tags)
    .where(and(inScope, inArray(sql`lower(${tags.name})`, lowered)))
  return rows.map((row) => row.id)
}

/** Replaces the tags of a project. Creates no tag: the ids must exist. */
export async function replaceProjectTags(
  tx: Tx,
  { id: projectId }: Authorized<Pick<Project, 'id'>>,
  tagIds: readonly string[],
) {
  await tx.delete(projectTags).where(eq(projectTags.project_id, projectId))
  if (tagIds.length > 0)
    await tx.insert(projectTags).values(tagIds.map((tag_id) => ({ project_id: projectId, tag_id })))
}
