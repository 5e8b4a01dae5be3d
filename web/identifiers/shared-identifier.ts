import { recognizeIdentifier } from '#shared/references/identifiers.ts'

/**
 * Returns the identifier or URL in the values that another page or app shared with this app. Tries the whole values of `url`,
 * `text` and `title` first, then each word of `text` and `title`. If none is an identifier, returns the first given value,
 * which the user can correct, or ''.
 */
export function sharedIdentifier({
  url,
  text,
  title,
}: {
  url?: string | undefined
  text?: string | undefined
  title?: string | undefined
}): string {
  const given = [url, text, title].filter((one) => one !== undefined)
  // A number inside a sentence, such as '2024', is not a PMID.
  const words = [text, title].flatMap((one) => (one ?? '').split(/\s+/)).filter((word) => !/^\d+$/.test(word))
  return [...given, ...words].find((one) => recognizeIdentifier(one))?.trim() ?? given[0]?.trim() ?? ''
}
