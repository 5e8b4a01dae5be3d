import { z } from 'zod'

/**
 * Name of the file that describes all other files of a backup. It is written last, so its presence means that the backup is
 * complete.
 */
export const MANIFEST = 'manifest.json'
/** Name of the list of stored files in a backup. It has one JSON line for each file: `{ key, size, sha256 }`. */
export const FILE_LIST = 'files.ndjson'

/** A table or column name. Only word characters are accepted, because these names become file names and SQL identifiers. */
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
  files: z.object({
    count: z.number().int(),
    bytes: z.number(),
    sha256: z.string(),
    /** Number of files of other programs that the backup does not contain. Earlier versions wrote no number. */
    left_out: z.number().int().optional(),
  }),
  /**
   * Whether the backup contains the file `auth-secret`. A backup contains it only if the installation generated the secret
   * itself.
   */
  secret: z.boolean(),
})
/** Content of manifest.json. Checksums are SHA-256 in hex: of each compressed table file and of the file list. */
export type Manifest = z.output<typeof manifestSchema>

/**
 * A storage key. Absolute paths and the path segment `..` are refused, because a restored file must stay inside its folder.
 * Other segments can contain two dots, as in 'Okafor et al..pdf'.
 */
const key = z.string().regex(/^(?!(?:.*\/)?\.\.(?:\/|$))[\w-][\w./-]*$/)

/** Returns whether a backup can contain a file with this storage key. */
export const isFileKey = (text: string): boolean => key.safeParse(text).success

export const fileLineSchema = z.object({ key, size: z.number().int(), sha256: z.string() })
/** One line of files.ndjson. */
export type FileLine = z.output<typeof fileLineSchema>

/** Returns the path of the file with a table's rows inside the backup. The file is gzip-compressed NDJSON. */
export const tableFile = (name: string) => `tables/${name}.ndjson.gz`
