import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'

const path = () => join(env.DATA_DIR, 'last-backup')

/** Records the time of a complete backup in DATA_DIR, for the metrics. A failure is logged and not thrown. */
export const noteBackup = (createdAt: string): Promise<void> =>
  writeFile(path(), `${createdAt}\n`).catch((error: unknown) =>
    log.warn({ err: error }, 'the time of the backup could not be recorded in DATA_DIR'),
  )

/** Returns the time of the last complete backup with this DATA_DIR, in Unix seconds; 0 if there was none. */
export async function lastBackupAt(): Promise<number> {
  const text = await readFile(path(), 'utf8').catch(() => '')
  return Math.floor((Date.parse(text.trim()) || 0) / 1000)
}
