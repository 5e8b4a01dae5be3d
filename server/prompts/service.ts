import { asActor, asSystem } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import type { Prompt } from '#shared/contract/prompts.ts'
import { DEFAULT_PROMPTS } from './default-prompts.ts'
import { findDefaultPromptRow, findPromptRow, findVersionOf, listPromptRows, seedPromptRows } from './queries.ts'

/** Lists the prompt library, the default prompt first. */
export const listPrompts = (actor: Actor): Promise<Prompt[]> => asActor(actor, listPromptRows)

/** A prompt with the id of its current version. */
export type PromptToUse = Prompt & { version_id: string | null }

/** Returns the prompt with this id, or the default prompt without an id. Throws 'not_found'. */
export function getPrompt(actor: Actor, id?: string | null): Promise<PromptToUse> {
  return asActor(actor, async (tx) => {
    const found = await (id ? findPromptRow(tx, id) : findDefaultPromptRow(tx))
    if (!found) throw notFound('Prompt')
    return { ...found, version_id: (await findVersionOf(tx, found.id, found.version))?.id ?? null }
  })
}

/** Adds the initial prompts to the library of a new installation. Does nothing if the library has prompts. */
export const seedPrompts = (): Promise<void> => asSystem((tx) => seedPromptRows(tx, DEFAULT_PROMPTS))
