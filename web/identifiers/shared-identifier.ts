import { recognizeIdentifier } from '#shared/references/identifiers.ts'

/**
 * Returns the identifier or address that another page or app shared: the first of `url`, `text` and `title` that is one, else the
 * first word of `text` and `title` that is one, else the first given value for the user to correct ('' without any).
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
