import { recordAudit } from '#server/audit/index.ts'
import { asActor, asAdmin, type Tx } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import type { Actor } from '#server/db/actor.ts'
import type { Prompt, promptInput, PromptPatch, PromptVersion } from '#shared/contract/prompts.ts'
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

/** Adds a prompt to the library. If it is the new default prompt, the previous one is no longer the default. */
export const addPrompt = (actor: Actor, input: z.output<typeof promptInput>): Promise<Prompt> =>
  asAdmin(actor, async (tx) => {
    if (input.default) await clearDefault(tx, null)
    const row = await insertPromptRow(tx, { ...input, description: input.description || null })
    await recordAudit(tx, actor, { action: 'prompt.added', subjectId: row.id, subject: row.name })
    return row
  })

/**
 * Changes a prompt. A database trigger stores each version. Throws 'changed' if a field has been changed after `version`, the
 * version that the caller has read.
 */
export const changePrompt = (actor: Actor, id: string, { version, ...change }: PromptPatch): Promise<Prompt> =>
  asAdmin(actor, async (tx) => {
    // Before the row lock: all callers take both locks in this order.
    if (change.default) await clearDefault(tx, id)
    const before = await lockPromptRow(tx, id)
    if (!before) throw notFound('Prompt')
    if (version !== undefined && version !== before.version)
      refuseStaleChange(await withFieldVersions(tx, before, version), change, version, () => before)
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

/**
 * Returns a prompt with `field_versions`, by which an edit detects changed fields: it has the current version number for each
 * field that differs from the version `version`.
 */
async function withFieldVersions(tx: Tx, prompt: Prompt, version: number) {
  const seen = await findVersionOf(tx, prompt.id, version)
  const changed = (['name', 'description', 'model', 'prompt'] as const).filter((name) => seen?.[name] !== prompt[name])
  return { ...prompt, field_versions: Object.fromEntries(changed.map((name) => [name, prompt.version])) }
}

/** Restores the text of an earlier version of a prompt, and stores it as a new version. */
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

/** Deletes a prompt from the library. Its versions remain stored, because analyses refer to them. */
export const removePrompt = (actor: Actor, id: string): Promise<void> =>
  asAdmin(actor, async (tx) => {
    const deleted = await deletePromptRow(tx, id)
    if (!deleted) throw notFound('Prompt')
    await recordAudit(tx, actor, { action: 'prompt.deleted', subjectId: id, subject: deleted.name })
  })

/** Returns a page of a prompt's versions, latest first. */
export const listVersions = (actor: Actor, id: string, slice: Slice): Promise<Listed<PromptVersion>> =>
  asActor(actor, async (tx) => {
    if (!(await findPromptRow(tx, id))) throw notFound('Prompt')
    return listVersionRows(tx, id, slice)
  })

/** Returns a version of a prompt, even if the prompt has been deleted. */
export const readVersion = (actor: Actor, id: string): Promise<PromptVersion> =>
  asActor(actor, async (tx) => {
    const found = await findVersionRow(tx, id)
    if (!found) throw notFound('Version')
    return found
  })
