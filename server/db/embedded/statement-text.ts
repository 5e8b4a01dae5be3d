/**
 * What the bridge has to notice in the text of a statement, because one backend serves every connection.
 * The patterns may see a word inside a string; each use is chosen so that a false alarm does no harm.
 */

/** A possible COPY … FROM STDIN: its data cannot be waited for without stopping everybody. */
export const mayCopyIn = (sql: string) => /\bcopy\b/i.test(sql) && /\bstdin\b/i.test(sql)

/** Statements that would wipe what other connections have in the shared backend. */
export const wipesOthers = (sql: string) =>
  /^\s*(?:discard\s+\w+|deallocate\s+(?:prepare\s+)?all|close\s+all)\b/i.test(sql)

/** A possible SET of a setting that outlasts its transaction; `SET LOCAL` and `set_config(…, true)` do not. */
export const maySetForSession = (sql: string) =>
  /(?:^|;)\s*set\s+(?!local\b|transaction\b|constraints\b)\S/i.test(sql) ||
  /\bset_config\s*\([^()]*,\s*(?:false|\$\d+)\s*(?:::\s*\w+\s*)?\)/i.test(sql)

/** The channels that a statement starts (`true`) or stops (`false`) listening to; `*` for all of them. */
export function listens(sql: string): { channel: string; on: boolean }[] {
  const found = sql.matchAll(/(?:^|;)\s*(un)?listen\s+(?:"((?:[^"]|"")+)"|(\w+)|(\*))/gi)
  return [...found].map(([, not, quoted, plain, all]) => ({
    channel: all ?? quoted?.replaceAll('""', '"') ?? plain!.toLowerCase(),
    on: !not,
  }))
}
