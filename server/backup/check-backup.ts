import { createReadStream } from 'node:fs'
import { lstat, readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { z } from 'zod'
import { knownMigrations } from '#server/db/migrate.ts'
import { AppError } from '#server/lib/errors.ts'
import { sha256Of } from './checksum.ts'
import {
  FILE_LIST,
  type FileLine,
  fileLineSchema,
  MANIFEST,
  type Manifest,
  manifestSchema,
  tableFile,
} from './manifest.ts'
import { readLines } from './read-lines.ts'
import { SECRET_FILE } from './write-backup.ts'

/**
 * Reads the manifest of the backup in the folder `source` and returns it. Checks that this version of Lectern has the
 * migrations of the backup, and the checksum of every table and stored file. Throws 'refused' with the first error that it
 * finds.
 */
export async function checkBackup(source: string): Promise<Manifest> {
  const text = await readFile(join(source, MANIFEST), 'utf8').catch(() => null)
  if (text === null) throw new AppError('refused', `${source} is not a backup: it has no ${MANIFEST}.`)
  const manifest = readAs(manifestSchema, text, MANIFEST)
  const known = knownMigrations()
  const unknown = manifest.migrations.find((name, index) => known[index] !== name)
  if (unknown !== undefined)
    throw new AppError('refused', `The backup was made by another version (${manifest.version}, ${unknown}).`)
  for (const { name, sha256 } of manifest.tables) await compare(source, tableFile(name), sha256)
  await compare(source, FILE_LIST, manifest.files.sha256)
  for await (const { key, sha256 } of fileLines(source)) await compare(source, join('files', key), sha256)
  if (manifest.secret) await placeOf(source, SECRET_FILE)
  return manifest
}

async function compare(source: string, name: string, sha256: string): Promise<void> {
  if ((await sha256Of(await placeOf(source, name))) !== sha256)
    throw new AppError('refused', `${name} of the backup is damaged.`)
}

/** Yields the stored files that a backup lists. Throws 'refused' at an invalid line of the list. */
export async function* fileLines(source: string): AsyncGenerator<FileLine> {
  for await (const line of readLines(createReadStream(join(source, FILE_LIST))))
    yield readAs(fileLineSchema, line, FILE_LIST)
}

/**
 * Returns the path of a file of the backup. Throws 'refused' if it is missing, not a regular file, or reached through a link.
 */
async function placeOf(source: string, name: string): Promise<string> {
  const path = join(source, name)
  const found = await lstat(path).catch(() => null)
  if (!found) throw new AppError('refused', `The backup has no ${name}.`)
  const isInside = (await realpath(path)) === `${await realpath(source)}${sep}${name.replaceAll('/', sep)}`
  if (!found.isFile() || !isInside) throw new AppError('refused', `${name} of the backup is a link or not a file.`)
  return path
}

function readAs<S extends z.ZodType>(schema: S, text: string, name: string): z.output<S> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new AppError('refused', `${name} of the backup is not valid.`, { cause })
  }
}
