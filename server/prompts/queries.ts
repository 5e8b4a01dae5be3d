import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { prompts, promptVersions } from '#server/db/tables/prompts.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import type { Prompt, PromptVersion } from '#shared/contract/prompts.ts'

/** Lists the prompts of the library: the default prompt first, then the newest ones. */
export const listPromptRows = (tx: Tx): Promise<Prompt[]> =>
  tx.select().from(prompts).orderBy(desc(prompts.default), desc(prompts.created_at), prompts.name)

/** Returns a prompt, or undefined. */
export async function findPromptRow(tx: Tx, id: string): Promise<Prompt | undefined> {
  const [row] = await tx.select().from(prompts).where(eq(prompts.id, id))
  return row
}

/** Returns the default prompt, or the newest prompt if none is marked as default. Undefined if the library is empty. */
export async function findDefaultPromptRow(tx: Tx): Promise<Prompt | undefined> {
  const [row] = await tx.select().from(prompts).orderBy(desc(prompts.default), desc(prompts.created_at)).limit(1)
  return row
}

/** Returns a prompt and locks it until the transaction ends. */
export async function lockPromptRow(tx: Tx, id: string): Promise<Prompt | undefined> {
  const [row] = await tx.select().from(prompts).where(eq(prompts.id, id)).for('update')
  return row
}

type Fields = Pick<Prompt, 'name' | 'description' | 'model' | 'prompt' | 'default'>

/** Inserts a prompt. */
export async function insertPromptRow(tx: Tx, values: Fields): Promise<Prompt> {
  const [row] = await tx.insert(prompts).values(values).returning()
  return row!
}

/** Changes a prompt and returns it. A database trigger increments its version number and stores the version. */
export async function updatePromptRow(tx: Tx, id: string, values: Partial<Fields>): Promise<Prompt> {
  const [row] = await tx.update(prompts).set(values).where(eq(prompts.id, id)).returning()
  return row!
}

/** Deletes a prompt and returns it; undefined when it does not exist. */
export async function deletePromptRow(tx: Tx, id: string): Promise<Prompt | undefined> {
  const [row] = await tx.delete(prompts).where(eq(prompts.id, id)).returning()
  return row
}

/** Sets `default` to false for every prompt except `exceptId`. An advisory lock serializes concurrent changes. */
export async function clearDefault(tx: Tx, exceptId: string | null): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern:default-prompt'))`)
  await tx
    .update(prompts)
    .set({ default: false })
    .where(and(eq(prompts.default, true), exceptId === null ? undefined : ne(prompts.id, exceptId)))
}

const versionColumns = {
  id: promptVersions.id,
  prompt_id: promptVersions.prompt_id,
  version: promptVersions.version,
  name: promptVersions.name,
  description: promptVersions.description,
  model: promptVersions.model,
  prompt: promptVersions.prompt,
  created_at: promptVersions.created_at,
  // Null for callers who are not admins: row-level security hides other users' profiles.
  saved_by: sql<string | null>`coalesce(nullif(${profiles.full_name}, ''), ${profiles.email})`,
}
const versionsWithPeople = (tx: Tx) =>
  tx.select(versionColumns).from(promptVersions).leftJoin(profiles, eq(profiles.id, promptVersions.saved_by)).$dynamic()

/** Returns a page of a prompt's versions, latest first, with the total count. */
export async function listVersionRows(
  tx: Tx,
  promptId: string,
  { limit, offset }: Slice,
): Promise<Listed<PromptVersion>> {
  const isOfPrompt = eq(promptVersions.prompt_id, promptId)
  const rows = versionsWithPeople(tx).where(isOfPrompt).orderBy(desc(promptVersions.version))
  const data = await (limit === undefined ? rows : rows.limit(limit).offset(offset))
  return { data, count: await tx.$count(promptVersions, isOfPrompt) }
}

/** Returns a version of a prompt by the version's id, even if the prompt has been deleted. */
export async function findVersionRow(tx: Tx, id: string): Promise<PromptVersion | undefined> {
  const [row] = await versionsWithPeople(tx).where(eq(promptVersions.id, id))
  return row
}

/** Returns a version of a prompt by its number. */
export async function findVersionOf(tx: Tx, promptId: string, version: number): Promise<PromptVersion | undefined> {
  const [row] = await versionsWithPeople(tx).where(
    and(eq(promptVersions.prompt_id, promptId), eq(promptVersions.version, version)),
  )
  return row
}

/** Inserts the initial prompts if the library is empty. */
export async function seedPromptRows(tx: Tx, rows: readonly Fields[]) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern:seed-prompts'))`)
  const [some] = await tx.select({ id: prompts.id }).from(prompts).limit(1)
  if (!some) await tx.insert(prompts).values([...rows])
}
