import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { nameInApi, documentOrThrow } from '#server/documents/index.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { env } from '#server/lib/env.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { refuseStaleChange, refuseStaleValue } from '#server/lib/stale-change.ts'
import { authorize, listNames } from '#server/members/index.ts'
import { checkProject } from '#server/projects/index.ts'
import { ALREADY_ACTIVE, enqueue } from '#server/queue/queue.ts'
import type { Job } from '#shared/contract/jobs.ts'
import {
  ZOTERO_LIBRARY_REFUSED,
  type ZoteroChoice,
  zoteroChoice,
  type ZoteroImport,
  type ZoteroOfDocument,
  type ZoteroSync,
  type ZoteroSyncPatch,
  type ZoteroUse,
} from '#shared/contract/zotero.ts'
import type { StoredReference } from '#shared/references/columns.ts'
import { changedFields } from './add-items.ts'
import { keyOf } from './connection.ts'
import { awaitFiles, findItemOfDocument, forgetVersions } from './item-queries.ts'
import {
  findLibraryRow,
  hasActiveImport,
  hasDeletedDocuments,
  insertLibraryRow,
  listLibraryRows,
  lockLibrary,
  lockLibraryRow,
  lockZotero,
  nameOf,
  type StoredLibrary,
  updateLibraryRow,
} from './library-queries.ts'
import { storeValues } from './update-item.ts'
import type { QueuedImport } from './work.ts'

type Chosen = ZoteroImport['libraries'][number]

/**
 * Starts an import from libraries of Zotero with the Zotero key of the caller. If the stored options of a library, such as its
 * collections, have not changed, reads only the items that changed since the last import of this library. Throws 'refused' for
 * a library that the key may not read, 'conflict' while another import from Zotero into the project is queued or running, and
 * 'changed' if another member changed the stored options of a library after the caller saw them.
 */
export async function startImport(actor: Actor, input: ZoteroImport): Promise<Job> {
  await asActor(actor, (tx) => checkProject(tx, input.project_id, 'edit'))
  const { libraries } = await keyOf(actor)
  const nameOfLibrary = (chosen: Chosen) => {
    const known = libraries.find(({ library }) => library === chosen.library)
    if (!known?.readable) throw new AppError('refused', ZOTERO_LIBRARY_REFUSED)
    return known.name
  }
  const chosen = [...new Map(input.libraries.map((one) => [one.library, one])).values()]
  const named = chosen.map((one) => ({ ...one, name: nameOfLibrary(one) }))
  return asActor(actor, async (tx) => {
    await checkProject(tx, input.project_id, 'edit')
    await lockZotero(tx, input.project_id)
    if (await withOwnerRole(tx, () => hasActiveImport(tx, input.project_id)))
      throw new AppError('conflict', ALREADY_ACTIVE.zotero)
    const ids: string[] = []
    for (const one of named) ids.push((await chooseLibrary(tx, actor, input, one)).id)
    const queued: QueuedImport = { library_ids: ids, requested: true }
    const projectId = input.project_id
    return enqueue(tx, { kind: 'zotero', ownerId: actor.userId, documentId: null, projectId, input: { ...queued } })
  })
}

/**
 * Stores the options for the import of a library. If an option changed or a paper of the library was deleted, the next import
 * reads all items again. Otherwise it reads only the changed items, and tries failed PDFs again.
 */
async function chooseLibrary(
  tx: Tx,
  actor: Actor,
  input: ZoteroImport,
  { library, collections, seen, name }: Chosen & { name: string },
): Promise<StoredLibrary> {
  const { project_id, with_subcollections, with_pdfs, with_tags, synchronize } = input
  const place = { project_id, server: env.ZOTERO_URL, library }
  const options = {
    collections: collections && [...new Set(collections)].toSorted(),
    with_subcollections,
    with_pdfs,
    with_tags,
  }
  const before = await lockLibraryRow(tx, place)
  const choice = { ...options, synchronize: synchronize ?? before?.synchronize ?? 'never' }
  refuseStaleValue<ZoteroChoice | null>('libraries', before ? zoteroChoice.parse(before) : null, choice, seen)
  const values = { ...choice, created_by: actor.userId, library_name: name }
  if (!before) return insertLibraryRow(tx, { ...place, ...values })
  const isSame = (Object.keys(options) as (keyof typeof options)[]).every(
    (option) => String(before[option]) === String(options[option]),
  )
  if (!isSame) await forgetVersions(tx, before.id)
  else if (with_pdfs) await awaitFiles(tx, before.id, { states: ['unavailable', 'failed'] })
  const isRead = isSame && !(await hasDeletedDocuments(tx, before.id))
  const changed = await updateLibraryRow(tx, before.id, { ...values, ...(isRead ? {} : { version: null }) })
  if (!changed) throw notFound('Library')
  return changed
}

/** Returns the Zotero libraries from which a project imports, with their schedules. */
export const listSyncs = (actor: Actor, projectId: string): Promise<ZoteroSync[]> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'read')
    return present(tx, actor, await listLibraryRows(tx, projectId))
  })

/**
 * Changes the schedule of a library. Every editor of the project may stop the schedule, but only the member whose Zotero key it
 * uses may start it. Throws 'refused' for other members, and 'changed' when another member changed the schedule after
 * `version`.
 */
export const changeSchedule = (
  actor: Actor,
  id: string,
  { synchronize, version }: ZoteroSyncPatch,
): Promise<ZoteroSync> =>
  asActor(actor, async (tx) => {
    authorize(await findLibraryRow(tx, id), 'edit', 'Library')
    await lockLibrary(tx, id)
    const before = authorize(await findLibraryRow(tx, id), 'edit', 'Library')
    const current = (await present(tx, actor, [before]))[0]!
    refuseStaleChange(
      { ...before, field_versions: { synchronize: before.schedule_version } },
      { synchronize },
      version,
      () => current,
    )
    if (synchronize !== 'never' && before.created_by !== actor.userId)
      throw new AppError(
        'refused',
        'This synchronization uses the key of another member. Import from the library again to use yours.',
      )
    const changed = await updateLibraryRow(tx, id, { synchronize })
    if (!changed) throw notFound('Library')
    return (await present(tx, actor, [changed]))[0]!
  })

async function present(tx: Tx, actor: Actor, rows: readonly StoredLibrary[]): Promise<ZoteroSync[]> {
  const ids = rows.flatMap(({ created_by }) => created_by ?? [])
  const names = ids.length > 0 ? await withOwnerRole(tx, () => listNames(tx, ids)) : new Map<string, string>()
  return rows.map((row) => ({
    id: row.id,
    project_id: row.project_id,
    library: row.library,
    name: nameOf(row),
    collections: row.collections,
    with_subcollections: row.with_subcollections,
    with_pdfs: row.with_pdfs,
    with_tags: row.with_tags,
    synchronize: row.synchronize,
    by: names.get(row.created_by ?? '') ?? null,
    is_own: row.created_by === actor.userId,
    last_synced_at: row.last_synced_at,
    last_error: row.last_error,
    version: row.schedule_version,
  }))
}

/**
 * Returns the Zotero item from which a document comes, with the fields that were edited in Lectern and differ from Zotero; null
 * for a document that does not come from Zotero.
 */
export const getItemOfDocument = (actor: Actor, documentId: string): Promise<ZoteroOfDocument> =>
  asActor(actor, async (tx) => {
    const document = await documentOrThrow(tx, documentId, 'read')
    const found = await findItemOfDocument(tx, documentId)
    if (!found) return null
    const { item, library } = found
    const { address, removed_at, file } = item
    return {
      library_name: library.library_name,
      address,
      removed_at,
      file: file === 'pending' ? 'none' : file === 'unavailable' ? 'failed' : file,
      differences: differencesOf(document, item, library.with_tags),
    }
  })

type Compared = { reference: StoredReference; keywords: string[]; edited_fields: string[] }

/** Returns the fields that a user edited and that have another value in Zotero (FMT-84). */
function differencesOf(document: Compared, item: { reference: StoredReference; tags: string[] }, withTags: boolean) {
  const fields = changedFields(document.reference, item.reference)
    .filter((field) => document.edited_fields.includes(nameInApi(field) ?? ''))
    .map((field) => ({
      field: field as string,
      here: document.reference[field] ?? null,
      zotero: item.reference[field] ?? null,
    }))
  const sorted = (names: readonly string[]) =>
    names
      .map((name) => name.toLowerCase())
      .toSorted()
      .join('\n')
  const isTagged = withTags && document.edited_fields.includes('keywords')
  return isTagged && sorted(document.keywords) !== sorted(item.tags)
    ? [...fields, { field: 'tags', here: document.keywords, zotero: item.tags }]
    : fields
}

/**
 * Replaces edited fields of a document by the values of its Zotero item. Fields that do not differ are ignored. Throws
 * 'refused' for a document that does not come from Zotero, and 'changed' if a value of Zotero differs from `seen`.
 */
export async function takeZoteroValues(
  actor: Actor,
  documentId: string,
  { fields, seen }: ZoteroUse,
): Promise<ZoteroOfDocument> {
  const { document, found } = await asActor(actor, async (tx) => ({
    document: await documentOrThrow(tx, documentId, 'edit'),
    found: await findItemOfDocument(tx, documentId),
  }))
  if (!found) throw new AppError('refused', 'This paper does not come from Zotero.')
  const chosen = differencesOf(document, found.item, found.library.with_tags).filter(({ field }) =>
    fields.includes(field),
  )
  for (const { field, zotero } of chosen) refuseStaleValue(field, zotero, seen?.[field], seen?.[field])
  const names = chosen.map(({ field }) => field).filter((field) => field !== 'tags') as (keyof StoredReference)[]
  const tags = chosen.some(({ field }) => field === 'tags') ? found.item.tags : null
  if (chosen.length > 0) await storeValues(actor, document, found.item.reference, names, tags)
  return getItemOfDocument(actor, documentId)
}
