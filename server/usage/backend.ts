import { asSystem } from '#server/db/client.ts'
import { ADMINS_ONLY, AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { storage } from '#server/storage/storage.ts'
import { type BackendUsage, DATABASE_DOLLARS_PER_1000_MB, STORAGE_DOLLARS_PER_1000_MB } from '#shared/contract/usage.ts'
import { readDatabaseSize, readTableSizes } from './backend-queries.ts'

const MB = 1024 * 1024
const TABLES_SHOWN = 8
/** How long the totals of the stored files are cached, because listing many files is slow. */
const CACHE_MS = 60_000

/**
 * Number and total size of the stored files. `kinds` has the bytes by the first part of the storage key ('documents', 'avatars'
 * …).
 */
interface StoredTotals {
  files: number
  bytes: number
  kinds: Record<string, number>
}

let cached: { at: number; totals: StoredTotals } | null = null

/** Implements the server function rpc/get_storage_size: returns the size of all stored files in megabytes. */
export async function storageSize(actor: Actor): Promise<{ size_mb: number }> {
  refuseOthers(actor)
  return { size_mb: inMb((await storedTotals()).bytes) }
}

/** Implements the server function rpc/get_database_size: returns the size of the database in megabytes. */
export async function databaseSize(actor: Actor): Promise<{ size_mb: number }> {
  refuseOthers(actor)
  return { size_mb: inMb(await asSystem(readDatabaseSize)) }
}

/**
 * Returns the sizes of the stored files and of the database, the monthly cost of both in US dollars, and the largest tables.
 */
export async function readBackend(actor: Actor): Promise<BackendUsage> {
  refuseOthers(actor)
  const { files, bytes, kinds } = await storedTotals()
  const [database, tables] = await asSystem(async (tx) => [
    await readDatabaseSize(tx),
    await readTableSizes(tx, TABLES_SHOWN),
  ])
  return {
    refreshed_at: new Date().toISOString(),
    storage: {
      size_mb: inMb(bytes),
      files,
      cost_usd: (inMb(bytes) / 1000) * STORAGE_DOLLARS_PER_1000_MB,
      kinds: Object.fromEntries(Object.entries(kinds).map(([kind, size]) => [kind, inMb(size)])),
    },
    database: {
      size_mb: inMb(database),
      cost_usd: (inMb(database) / 1000) * DATABASE_DOLLARS_PER_1000_MB,
      tables: tables.map((table) => ({ name: table.name, size_mb: inMb(table.bytes) })),
    },
  }
}

async function storedTotals(): Promise<StoredTotals> {
  if (!cached || performance.now() - cached.at > CACHE_MS)
    cached = { at: performance.now(), totals: await countFiles() }
  return cached.totals
}

async function countFiles(): Promise<StoredTotals> {
  const totals: StoredTotals = { files: 0, bytes: 0, kinds: {} }
  for await (const { key, size } of storage().list()) {
    const kind = key.split('/')[0]!
    totals.files += 1
    totals.bytes += size
    totals.kinds[kind] = (totals.kinds[kind] ?? 0) + size
  }
  return totals
}

const inMb = (bytes: number) => Math.round((bytes / MB) * 1000) / 1000

function refuseOthers(actor: Actor): void {
  if (!actor.isAdmin) throw new AppError('forbidden', ADMINS_ONLY)
}
