import { z } from 'zod'

/** Describes every other file of a backup. Written last, so its presence means that the backup is complete. */
export const MANIFEST = 'manifest.json'
/** One line for each stored file: `{ key, size, sha256 }`. */
export const FILE_LIST = 'files.ndjson'

/** Table and column names become file names and SQL identifiers, so only word characters are accepted. */
const name = z.string().regex(/^\w+$/)

export const manifestSchema = z.object({
  format: z.literal(1),
  created_at: z.string(),
  /** Version of Lectern that wrote the backup. */
  version: z.string(),
  /** Names of the migrations that the database had, in order. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name, columns: z.array(name), rows: z.number().int(), sha256: z.string() })),
  sequences: z.array(z.object({ name, value: z.string().regex(/^-?\d+$/) })),
  files: z.object({ count: z.number().int(), bytes: z.number(), sha256: z.string() }),
  /** Whether `auth-secret` is included. It is only when the installation generated the secret itself. */
  secret: z.boolean(),
})
/** Content of manifest.json. Checksums are SHA-256 in hex: of each compressed table file and of the file list. */
export type Manifest = z.output<typeof manifestSchema>

/** A storage key. `..` and absolute paths are refused: a restored file must stay inside its folder. */
const key = z.string().regex(/^(?!.*\.\.)[\w-][\w./-]*$/)

export const fileLineSchema = z.object({ key, size: z.number().int(), sha256: z.string() })
/** One line of files.ndjson. */
export type FileLine = z.output<typeof fileLineSchema>

/** Path of a table's rows inside the backup: gzip-compressed NDJSON. */
export const tableFile = (name: string) => `tables/${name}.ndjson.gz`
