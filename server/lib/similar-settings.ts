import { distance } from 'fastest-levenshtein'

/** Minimum length of a long name. In a shorter name, fewer letters may differ, because it resembles more other names. */
const LONG_NAME = 8
const allowedChanges = (name: string) => (name.length < LONG_NAME ? 1 : 2)

/**
 * Returns the variables that are not settings but resemble a setting, so that they are probably misspelled, such as DATABSE_URL
 * for DATABASE_URL. A long name may differ in two letters, a short name in one letter.
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
