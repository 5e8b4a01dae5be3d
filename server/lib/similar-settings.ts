import { distance } from 'fastest-levenshtein'

/** Length from which a name is long. Fewer letters of a short name may differ, because it resembles more other names. */
const LONG_NAME = 8
const allowedChanges = (name: string) => (name.length < LONG_NAME ? 1 : 2)

/**
 * Returns the variables that are no settings and resemble one: probably misspelled, as DATABSE_URL for DATABASE_URL. At
 * most two letters of a long name differ, one of a short name.
 */
export function similarSettings(
  given: readonly string[],
  known: readonly string[],
): { name: string; resembles: string }[] {
  return given
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const resembles = known.find((setting) => distance(name.toUpperCase(), setting) <= allowedChanges(setting))
      return resembles === undefined ? [] : [{ name, resembles }]
    })
}
