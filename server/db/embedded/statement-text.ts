/**
 * Checks of a statement's text that the bridge needs because all connections share one backend. The patterns can match
 * inside a string; every use tolerates false positives.
 */

/** Returns whether a statement may be COPY … FROM STDIN. A wait for its data would block all clients. */
export const mayCopyIn = (sql: string) => /\bcopy\b/i.test(sql) && /\bstdin\b/i.test(sql)

/**
 * Returns whether a statement is DISCARD, DEALLOCATE ALL or CLOSE ALL, which would delete the state of all connections to the
 * embedded database, because they share one backend.
 */
export const wipesOthers = (sql: string) =>
  /^\s*(?:discard\s+\w+|deallocate\s+(?:prepare\s+)?all|close\s+all)\b/i.test(sql)

/**
 * Returns whether a statement may be a SET that outlasts its transaction. `SET LOCAL` and `set_config(…, true)` do not outlast
 * it.
 */
export const maySetForSession = (sql: string) =>
  /(?:^|;)\s*set\s+(?!local\b|transaction\b|constraints\b)\S/i.test(sql) ||
  /\bset_config\s*\([^()]*,\s*(?:false|\$\d+)\s*(?:::\s*\w+\s*)?\)/i.test(sql)

/**
 * Returns the channels of the LISTEN (`on: true`) and UNLISTEN (`on: false`) commands in a statement; the channel `*` means
 * all.
 */
export function listens(sql: string): { channel: string; on: boolean }[] {
  const found = sql.matchAll(/(?:^|;)\s*(un)?listen\s+(?:"((?:[^"]|"")+)"|(\w+)|(\*))/gi)
  return [...found].map(([, not, quoted, plain, all]) => ({
    channel: all ?? quoted?.replaceAll('""', '"') ?? plain!.toLowerCase(),
    on: !not,
  }))
}
