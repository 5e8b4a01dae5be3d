import { recordAudit } from '#server/audit/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asAdmin } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { type AddedStyle, STYLE_MAX_BYTES, STYLE_TOO_LARGE } from '#shared/contract/citations.ts'
import { checkStyle } from './format.ts'
import {
  deleteStyleRow,
  insertStyleRow,
  listDependents,
  listIndependentIds,
  listStyleRows,
  lockStyleRow,
} from './queries.ts'
import { requireCitations } from './service.ts'

/** Returns the styles that admins added, newest first. */
export async function listAddedStyles(actor: Actor): Promise<AddedStyle[]> {
  requireCitations()
  return asAdmin(actor, listStyleRows)
}

/**
 * Adds a citation style for all users. `xml` is the text of its CSL file. Throws 'too_large' above 500 kB, 'refused' with the
 * reason for a style that cannot be used, and 'conflict' if a style with this id exists.
 */
export async function addStyle(actor: Actor, xml: string): Promise<AddedStyle> {
  requireCitations()
  const bytes = Buffer.byteLength(xml)
  if (bytes > STYLE_MAX_BYTES) throw new AppError('too_large', STYLE_TOO_LARGE)
  const known = await asAdmin(actor, listIndependentIds)
  const { title, style_id, ...style } = await checkStyle({ xml, known })
  return asAdmin(actor, async (tx) => {
    const id = await insertStyleRow(tx, { ...style, title, style_id, xml, bytes, added_by: actor.userId })
    if (!id) throw new AppError('conflict', `There is a style with the id ${style_id}. Delete it first.`)
    await recordAudit(tx, actor, { action: 'style.added', subjectId: id, subject: title })
    return (await listStyleRows(tx)).find((row) => row.id === id)!
  })
}

/**
 * Deletes a citation style. Projects that use it as their default then cite in DEFAULT_STYLE. Throws 'not_found', or 'conflict'
 * if another style depends on it.
 */
export function removeStyle(actor: Actor, id: string): Promise<void> {
  requireCitations()
  return asAdmin(actor, async (tx) => {
    const style = await lockStyleRow(tx, id)
    if (!style) throw notFound('Citation style')
    const [dependent] = await listDependents(tx, style.style_id)
    if (dependent !== undefined)
      throw new AppError('conflict', `The style '${dependent}' depends on this style. Delete it first.`)
    await deleteStyleRow(tx, id)
    await recordAudit(tx, actor, { action: 'style.deleted', subjectId: id, subject: style.title })
  })
}
