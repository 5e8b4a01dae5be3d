import { desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { prompts } from '#server/db/tables/prompts.ts'
import type { Prompt } from '#shared/prompts.ts'

/** The library: the default prompt first, then newest first. */
export const listPromptRows = (tx: Tx): Promise<Prompt[]> =>
  tx.select().from(prompts).orderBy(desc(prompts.default), desc(prompts.created_at), prompts.name)

export async function findPromptRow(tx: Tx, id: string): Promise<Prompt | undefined> {
  const [row] = await tx.select().from(prompts).where(eq(prompts.id, id))
  return row
}

export async function findDefaultPromptRow(tx: Tx): Promise<Prompt | undefined> {
  const [row] = await tx.select().from(prompts).where(eq(prompts.default, true))
  return row
}

/** Inserts the prompts a new installation starts with, unless the library was ever filled. */
export async function seedPromptRows(tx: Tx, rows: readonly Omit<Prompt, 'id' | 'created_at'>[]) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern:seed-prompts'))`)
  const [some] = await tx.select({ id: prompts.id }).from(prompts).limit(1)
  if (!some) await tx.insert(prompts).values([...rows])
}
