import { parse } from 'node:path'
import { makeZip } from 'client-zip'
import { asActor, asActorWithDeleted, asSystem } from '#server/db/client.ts'
import { streamWithAccess } from '#server/events/watch-access.ts'
import { safeName, uniquePaths } from '#server/lib/file-names.ts'
import { log } from '#server/lib/log.ts'
import { type ArchiveFile, openArchiveFile } from '#server/storage/archive-file.ts'
import type { Actor } from '#server/db/actor.ts'
import { pictureKeys } from '#server/pictures/index.ts'
import { AVATARS, avatarName } from '#server/profiles/index.ts'
import { HERO_BUCKET } from '#server/projects/index.ts'
import { listPrompts } from '#server/prompts/index.ts'
import { EXPORTED, LEFT_OUT } from './exported-tables.ts'
import { type ExportedTable, hasRow, listProjectNames, promptIdsOf, readAccount, readRows } from './queries.ts'

/** Number of rows of a table in memory at a time. It is small because a document's text can have many megabytes. */
const ROWS_AT_ONCE = 20

type Row = Record<string, unknown>
/** A stored file of a row of the table `from`, with the row's `id`. */
interface Wanted {
  from: ExportedTable
  id: unknown
  key: string
  /** Path in the archive. */
  path: string
  of: { document_id?: unknown; import_id?: unknown; project_id?: unknown; filename?: unknown }
}

/**
 * Streams all data of the caller as a zip file. Reads the rows of a table page by page, and streams each file. The manifest is
 * the last entry, because it also lists the files that were missing. The stream breaks when the account is disabled.
 */
export const exportAccount = (actor: Actor): ReadableStream<Uint8Array> =>
  streamWithAccess(actor, async () => undefined, makeZip(entries(actor)))

async function* entries(actor: Actor) {
  const manifest = {
    format: 'lectern-export',
    version: 1,
    made_at: new Date().toISOString(),
    account: actor.userId,
    rows: {} as Record<string, number>,
    files: [] as (Wanted['of'] & { path: string; bytes: number })[],
    missing: [] as (Wanted['of'] & { path: string; reason: string })[],
    left_out: LEFT_OUT,
  }
  yield { name: 'account.json', input: json(await asSystem((tx) => readAccount(tx, actor.userId))) }
  for (const [name, from] of Object.entries(EXPORTED))
    yield {
      name: `${name}.json`,
      input: rowsAsJson(actor, from, () => (manifest.rows[name] = (manifest.rows[name] ?? 0) + 1)),
    }
  yield { name: 'prompts.json', input: json(await promptsUsed(actor)) }
  for await (const wanted of filesOf(actor)) {
    const opened = await open(actor, wanted)
    if ('reason' in opened) manifest.missing.push({ ...wanted.of, path: wanted.path, reason: opened.reason })
    else {
      manifest.files.push({ ...wanted.of, path: wanted.path, bytes: opened.size })
      try {
        yield { name: wanted.path, input: opened.input }
      } finally {
        await opened.close()
      }
    }
  }
  yield { name: 'manifest.json', input: json(manifest) }
}

/** Yields the stored files of the caller's profile, projects, documents and imports, with their paths in the archive. */
async function* filesOf(actor: Actor): AsyncGenerator<Wanted> {
  const next = uniquePaths()
  const folders = new Map<unknown, string>()
  const { profile, projects, documents, imports } = EXPORTED
  for await (const row of allRows(actor, profile))
    for (const key of pictureKeys(AVATARS, avatarName, textOf(row['avatar_url']), []))
      yield { from: profile, id: row['id'], key, path: next('pictures', 'profile', '.webp'), of: {} }
  for await (const row of allRows(actor, projects)) {
    const { id } = row
    const name = safeName(String(row['name']), 'project')
    for (const key of pictureKeys(HERO_BUCKET, `${String(id)}-`, textOf(row['hero_image']), []))
      yield { from: projects, id, key, path: next('pictures', name, '.webp'), of: { project_id: id } }
  }
  for (const { id, name } of await asActorWithDeleted(actor, listProjectNames))
    folders.set(id, next('documents', safeName(name, 'project'), ''))
  const loose = next('documents', 'Without a project', '')
  for await (const row of allRows(actor, documents)) {
    const { id, project_id, filename } = row
    const key = textOf(row['source_url'])
    if (!key) continue
    const name = safeName(String(filename).replace(/\.pdf$/i, ''), 'document')
    const path = next(folders.get(project_id) ?? loose, name, '.pdf')
    yield { from: documents, id, key, path, of: { document_id: id, project_id, filename } }
  }
  for await (const row of allRows(actor, imports)) {
    const { id, project_id, filename } = row
    const key = textOf(row['file_key'])
    if (!key) continue
    const { name, ext } = parse(safeName(textOf(filename) ?? '', 'references.txt'))
    yield { from: imports, id, key, path: next('imports', name, ext), of: { import_id: id, project_id, filename } }
  }
}

async function open(actor: Actor, { from, id, key }: Wanted): Promise<ArchiveFile | { reason: string }> {
  if (!(await asActorWithDeleted(actor, (tx) => hasRow(tx, from, actor.userId, id))))
    return { reason: 'deleted, or no longer readable for the account' }
  try {
    return (await openArchiveFile(key)) ?? { reason: 'not in storage' }
  } catch (error) {
    log.warn({ err: error }, 'a file could not be read for an export')
    return { reason: 'could not be read' }
  }
}

/** Yields all rows of the caller in a table. Reads ROWS_AT_ONCE rows at a time. */
async function* allRows(actor: Actor, from: ExportedTable): AsyncGenerator<Row> {
  let after: unknown[] | null = null
  for (;;) {
    const rows: Row[] = await asActorWithDeleted(actor, (tx) => readRows(tx, from, actor.userId, after, ROWS_AT_ONCE))
    yield* rows
    if (rows.length < ROWS_AT_ONCE) return
    after = from.key.map((column) => rows.at(-1)![column.name])
  }
}

async function* rowsAsJson(actor: Actor, from: ExportedTable, count: () => void): AsyncGenerator<string> {
  let before = '[\n'
  for await (const row of allRows(actor, from)) {
    count()
    yield `${before}${JSON.stringify(row)}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

async function promptsUsed(actor: Actor) {
  const used = new Set(await asActor(actor, (tx) => promptIdsOf(tx, actor.userId)))
  return (await listPrompts(actor)).filter(({ id }) => used.has(id))
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
