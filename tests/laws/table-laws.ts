import { isTest, roomOf, type SourceFile } from './source-files.ts'

/**
 * A database table. `name`: in the database. `identifier`: in the code. `file`: the file of server/db/tables that defines it.
 */
export interface DefinedTable {
  name: string
  identifier: string
  file: string
}

const DEFINITION = /^export const (\w+) = pgTable\(\s*'(\w+)'/gm

/** Returns the tables that are defined in server/db/tables. */
export function definedTables(files: SourceFile[]): DefinedTable[] {
  return files
    .filter(({ path }) => path.startsWith('server/db/tables/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(DEFINITION)].map(([, identifier = '', name = '']) => ({ name, identifier, file: path })),
    )
}

const LOOP = /FOREACH \w+ IN ARRAY ARRAY\[([^\]]*)\] LOOP([\s\S]*?)END LOOP/g

/**
 * Returns the tables that have row-level security and at least one policy after all migrations. `migrations`: their SQL, in
 * order.
 */
export function protectedTables(migrations: string[]): Set<string> {
  const secured = new Set<string>()
  const policies = new Map<string, Set<string>>()
  for (const sql of migrations.map(unrolled))
    for (const [, enabled, verb, policy = '', table = ''] of sql.matchAll(
      /ALTER TABLE (\w+) ENABLE ROW LEVEL SECURITY|(CREATE|DROP) POLICY (\w+) ON (\w+)/g,
    )) {
      if (enabled !== undefined) secured.add(enabled)
      const own = policies.get(table) ?? new Set()
      if (verb === 'CREATE') policies.set(table, own.add(policy))
      if (verb === 'DROP') own.delete(policy)
    }
  return new Set([...secured].filter((table) => (policies.get(table)?.size ?? 0) > 0))
}

/** Replaces each `FOREACH … LOOP` over table names in a migration by its statements, repeated for each name. */
const unrolled = (sql: string) =>
  sql.replaceAll('"', '').replaceAll(LOOP, (_, names: string, body: string) =>
    names
      .split(',')
      .map((name) => body.replaceAll('%I', name.trim().replaceAll("'", '')))
      .join('\n'),
  )

/** The room that writes a table, for tables that are defined in a file that is not named after the room. */
const WRITERS: Record<string, string> = {
  outbox: 'mail',
  rate_limit: 'http',
  uploads: 'documents',
  chunks: 'retrieval',
  chunk_sentences: 'retrieval',
  vector_renewal: 'retrieval',
  indexed_documents: 'retrieval',
  chunk_terms: 'retrieval',
  index_pause: 'retrieval',
  jobs: 'queue',
  removed_files: 'storage',
}

/** Returns the only room whose queries may write a table. */
export const writerOf = ({ name, file }: DefinedTable): string =>
  WRITERS[name] ?? file.replace('server/db/tables/', '').replace('.ts', '')

const WRITE = /\b(?:tx|db|client)?\s*\.\s*(?:insert|update|delete)\(\s*(\w+)\s*\)/g
const SQL_WRITE = /\b(?:insert\s+into|update|delete\s+from)\s+(?:\$\{(\w+)\}|"?(\w+)"?)/gi

/** Returns the writes of rooms to tables of other rooms, as `room writes table`. */
export function foreignWrites(files: SourceFile[], tables: DefinedTable[]): string[] {
  const byIdentifier = new Map(tables.map((table) => [table.identifier, table]))
  const byName = new Map(tables.map((table) => [table.name, table]))
  const found = files
    .filter(({ path }) => path.startsWith('server/') && !path.startsWith('server/db/') && !isTest(path))
    .flatMap(({ path, text }) => {
      const room = roomOf(path).replace('server/', '')
      const imported = text.includes('#server/db/tables/')
      const names = imported ? [...text.matchAll(WRITE)].map(([, name = '']) => byIdentifier.get(name)) : []
      const inSql = [...text.matchAll(SQL_WRITE)].map(
        ([, identifier = '', name = '']) => byIdentifier.get(identifier) ?? byName.get(name),
      )
      return [...names, ...inSql].flatMap((table) =>
        table && writerOf(table) !== room ? [`${room} writes ${table.name}`] : [],
      )
    })
  return [...new Set(found)].toSorted()
}
