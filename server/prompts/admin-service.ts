import { recordAudit } from '#server/audit/index.ts'
import { asActor, asAdmin } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Listed, Slice } from '#server/lib/list-page.ts'
import type { Actor } from '#server/lib/session.ts'
import type { Prompt, promptInput, PromptPatch, PromptVersion } from '#shared/prompts.ts'
import type { z } from 'zod'
import {
  clearDefault,
  deletePromptRow,
  findPromptRow,
  findVersionOf,
  findVersionRow,
  insertPromptRow,
  listVersionRows,
  lockPromptRow,
  updatePromptRow,
} from './queries.ts'

/** Adds a prompt to the library; as the default one it takes the mark from the one that has it. */
export const addPrompt = (actor: Actor, input: z.output<typeof promptInput>): Promise<Prompt> =>
  asAdmin(actor, async (tx) => {
    if (input.default) await clearDefault(tx, null)
    const row = await insertPromptRow(tx, { ...input, description: input.description || null })
    await recordAudit(tx, actor, { action: 'prompt.added', subjectId: row.id, subject: row.name })
    return row
  })

/** Changes a prompt. What it said before stays as an earlier version. */
export const changePrompt = (actor: Actor, id: string, { version, ...change }: PromptPatch): Promise<Prompt> =>
  asAdmin(actor, async (tx) => {
    // Before the row itself is locked: everybody takes the two locks in this order.
    if (change.default) await clearDefault(tx, id)
    const before = await lockPromptRow(tx, id)
    if (!before) throw notFound('Prompt')
    if (version !== undefined && version !== before.version)
      throw new AppError('conflict', 'Somebody else changed this prompt meanwhile. Reload the page to see it.')
    if (Object.keys(change).length === 0) return before
    if (change.description === '') change.description = null
    const row = await updatePromptRow(tx, id, change)
    await recordAudit(tx, actor, {
      action: 'prompt.changed',
      subjectId: id,
      subject: row.name,
      details: {
        ...(row.version === before.version ? {} : { version: row.version }),
        ...(row.default === before.default ? {} : { default: row.default }),
      },
    })
    return row
  })

/** Makes an earlier version the current one again, as a new version. */
export const restorePrompt = (actor: Actor, id: string, version: number): Promise<Prompt> =>
  asAdmin(actor, async (tx) => {
    if (!(await lockPromptRow(tx, id))) throw notFound('Prompt')
    const earlier = await findVersionOf(tx, id, version)
    if (!earlier) throw notFound('Version')
    const { name, description, model, prompt } = earlier
    const row = await updatePromptRow(tx, id, { name, description, model, prompt })
    await recordAudit(tx, actor, {
      action: 'prompt.changed',
      subjectId: id,
      subject: row.name,
      details: { version: row.version, restored: version },
    })
    return row
  })

/** Takes a prompt out of the library. Its versions stay, for the analyses that were made with them. */
export const removePrompt = (actor: Actor, id: string): Promise<void> =>
  asAdmin(actor, async (tx) => {
    const gone = await deletePromptRow(tx, id)
    if (!gone) throw notFound('Prompt')
    await recordAudit(tx, actor, { action: 'prompt.deleted', subjectId: id, subject: gone.name })
  })

/** A slice of everything a prompt has said, the latest first. */
export const listVersions = (actor: Actor, id: string, slice: Slice): Promise<Listed<PromptVersion>> =>
  asActor(actor, async (tx) => {
    if (!(await findPromptRow(tx, id))) throw notFound('Prompt')
    return listVersionRows(tx, id, slice)
  })

/** One version, also of a prompt that is deleted. */
export const readVersion = (actor: Actor, id: string): Promise<PromptVersion> =>
  asActor(actor, async (tx) => {
    const found = await findVersionRow(tx, id)
    if (!found) throw notFound('Version')
    return found
  })
