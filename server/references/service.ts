import { randomUUID } from 'node:crypto'
import { asActor } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { deleteSomeDocuments, lockAdditions } from '#server/documents/index.ts'
import { invalidInput } from '#server/http/router.ts'
import { type FormRules, receiveForm, type ReceivedForm, type StoredPart } from '#server/http/receive-form.ts'
import {
  countUndo,
  findImport,
  insertImport,
  listUsedOnlyBy,
  lockImport,
  presentImport,
  updateImport,
} from '#server/imports/index.ts'
import { countFurtherFiles } from '#server/keys/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { authorize } from '#server/members/index.ts'
import { checkProject } from '#server/projects/index.ts'
import { enqueue } from '#server/queue/queue.ts'
import { expectFiles, giveUpFiles, keepStoredFiles } from '#server/storage/removed-files.ts'
import { storage } from '#server/storage/storage.ts'
import {
  type ImportFields,
  importFields,
  type ImportPreview,
  MAX_IMPORT_FILES,
  previewFields,
} from '#shared/contract/imports.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { IMPORT_REFUSALS, MAX_IMPORT_BYTES } from '#shared/contract/reference-formats.ts'
import type { z } from 'zod'
import { runOnReferences } from './reference-pool.ts'
import type { RecordChoices } from './tasks.ts'

/** Input of the job that imports one or more files. */
export interface QueuedImport {
  import_ids: string[]
  choices: RecordChoices
  fetch_pdfs: boolean
}

const RULES: FormRules = {
  maxFiles: MAX_IMPORT_FILES,
  maxFields: 20,
  maxFieldBytes: 200_000,
  maxBytes: MAX_IMPORT_BYTES,
  tooLarge: () => new AppError('too_large', IMPORT_REFUSALS.tooLarge),
  noFile: 'Please select one or more files to import',
  tooManyFiles: `Please send at most ${MAX_IMPORT_FILES} files with each import.`,
  tooManyFields: 'The form has too many fields.',
}

/**
 * Receives reference files and the fields of a form. The caller must always call `remove` of the result, which deletes the
 * received files.
 */
export const receiveReferences = (request: Request, maxFiles = MAX_IMPORT_FILES): Promise<ReceivedForm> =>
  receiveForm(request, { ...RULES, maxFiles })

/** Validates the fields of a form. Throws 'refused' with a message for each invalid field. */
function readFields<Schema extends z.ZodType>(schema: Schema, fields: Record<string, string>): z.output<Schema> {
  const found = schema.safeParse(fields)
  if (found.success) return found.data
  throw invalidInput(found.error, 'refused')
}

const inspect = (actor: Actor, { path }: StoredPart, fields: z.output<typeof previewFields>) =>
  runOnReferences('inspect', { path, format: fields.format, columns: fields.columns }, { person: actor.userId })

/** Returns the format, the number of records and the first records of a file, without storing it. */
export async function previewReferences(actor: Actor, { files, fields }: ReceivedForm): Promise<ImportPreview> {
  const found = await inspect(actor, files[0]!, readFields(previewFields, fields))
  const { format, count, records, columns, hasGroups } = found
  return { format, count, records, columns, has_groups: hasGroups }
}

/**
 * Stores reference files and queues one job that imports them; each file is an import. Throws 'refused' for a file that cannot
 * be read or has no records, before any file is stored.
 */
export async function importReferences(actor: Actor, form: ReceivedForm): Promise<Job> {
  await countFurtherFiles(actor, form.files.length)
  const given = readFields(importFields, form.fields)
  await asActor(actor, (tx) => checkProject(tx, given.project_id, 'edit'))
  const counts: { count: number; format: string }[] = []
  for (const file of form.files) counts.push(await inspect(actor, file, given).catch(named(file, form.files.length)))
  const stored = form.files.map((file, index) => ({
    ...file,
    ...counts[index]!,
    key: `imports/${given.project_id}/${randomUUID()}`,
  }))
  const keys = stored.map(({ key }) => key)
  await expectFiles(keys)
  try {
    for (const { key, path } of stored) await storage().putFile(key, path, 'application/octet-stream')
    return await asActor(actor, async (tx) => {
      await checkProject(tx, given.project_id, 'edit')
      await keepStoredFiles(tx, keys)
      const ids: string[] = []
      for (const { key, filename, format, count, sha256 } of stored) {
        const { id } = await insertImport(tx, {
          ...sourceOf(given),
          created_by: actor.userId,
          kind: 'file',
          state: 'waiting',
          filename,
          format,
          file_hash: sha256,
          total_count: count,
          file_key: key,
        })
        ids.push(id)
      }
      const job = await enqueue(tx, {
        kind: 'import',
        ownerId: actor.userId,
        documentId: null,
        projectId: given.project_id,
        input: { import_ids: ids, choices: choicesOf(given), fetch_pdfs: given.fetch_pdfs ?? false },
      })
      for (const id of ids) await updateImport(tx, id, { job_id: job.id })
      return job
    })
  } catch (error) {
    await giveUpFiles(keys)
    throw error
  }
}

/**
 * Returns an error handler that adds the name of the file to the message of an AppError if several files were sent. It always
 * throws.
 */
const named = (file: StoredPart, files: number) => (error: unknown) => {
  if (files === 1 || !(error instanceof AppError)) throw error
  throw new AppError(error.code, `${file.filename}: ${error.message}`, { cause: error })
}

const sourceOf = ({ project_id, source_name, source_kind, searched_on, search_text }: ImportFields) => ({
  project_id,
  source_name: source_name || null,
  source_kind: source_kind ?? 'database',
  searched_on: searched_on || null,
  search_text: search_text?.trim() || null,
})

const choicesOf = (given: ImportFields): RecordChoices => ({
  format: given.format,
  columns: given.columns,
  joinDuplicates: given.join_duplicates ?? true,
  keepCitationKeys: given.keep_citation_keys ?? true,
  groupsAsTags: given.groups_as_tags ?? false,
  tags: given.tags ?? [],
})

/**
 * Undoes an import: marks it as undone, and moves the papers that only this import uses to the trash. Its records stay. A
 * repeated undo deletes the papers that remain, for example after an interruption. Throws 'conflict' while the import is
 * running, and if it is undone and no such paper remains.
 */
export async function undoImport(actor: Actor, id: string) {
  const { projectId, stays } = await asActor(actor, async (tx) => {
    const seen = await presentImport(tx, id)
    authorize(seen, 'edit', 'Import')
    const row = (await lockImport(tx, id)) ?? (await findImport(tx, id))
    if (!row) throw notFound('Import')
    const { deleted, stays } = await countUndo(tx, id)
    if (row.undone_at !== null && deleted === 0) throw new AppError('conflict', 'This import is undone already.')
    if (row.state === 'waiting' || row.state === 'running')
      throw new AppError('conflict', 'This import is still running. Cancel it first.')
    await updateImport(tx, id, { undone_at: row.undone_at ?? new Date().toISOString() })
    return { projectId: row.project_id, stays }
  })
  const deleted = await deleteSomeDocuments(actor, async (tx, limit) => {
    // Another import may be joining a record with one of the papers.
    await lockAdditions(tx, projectId)
    return listUsedOnlyBy(tx, id, limit)
  })
  const row = await asActor(actor, (tx) => presentImport(tx, id))
  if (!row) throw notFound('Import')
  return { import: row, deleted, stays }
}
