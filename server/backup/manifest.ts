import { z } from 'zod'

/** The one file of a backup that says what the others are; it is written last. */
export const MANIFEST = 'manifest.json'
/** One line for each stored file: `{ key, size, sha256 }`. */
export const FILE_LIST = 'files.ndjson'

/** Names lead to files of the backup and are put into statements. */
const name = z.string().regex(/^\w+$/)

export const manifestSchema = z.object({
  format: z.literal(1),
  created_at: z.string(),
  /** The version of the program that wrote it. */
  version: z.string(),
  /** The migrations that the rows were written under, in their order. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name, columns: z.array(name), rows: z.number().int(), sha256: z.string() })),
  sequences: z.array(z.object({ name, value: z.string().regex(/^-?\d+$/) })),
  files: z.object({ count: z.number().int(), bytes: z.number(), sha256: z.string() }),
  /** Whether the secret that signs sessions is in it: only where the installation made one itself. */
  secret: z.boolean(),
})
/** What a backup holds. Checksums are SHA-256 in hex, of the compressed file of a table and of the list of files. */
export type Manifest = z.output<typeof manifestSchema>

/** Keys are made by the server; one that leaves its folder was put there by somebody. */
const key = z.string().regex(/^(?!.*\.\.)[\w-][\w./-]*$/)

export const fileLineSchema = z.object({ key, size: z.number().int(), sha256: z.string() })
/** A stored file in a backup. */
export type FileLine = z.output<typeof fileLineSchema>

/** Where the rows of a table lie in a backup. */
export const tableFile = (name: string) => `tables/${name}.ndjson.gz`
