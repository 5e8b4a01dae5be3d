import { recognizeIdentifier } from '#shared/references/identifiers.ts'

/**
 * Returns the identifier or address that another page or app shared: `url`, else the first word or line with one in `text`
 * and `title`, else the given text for the user to correct.
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
  // Words of a sentence such as '2024' are no PMID.
  const words = [text, title].flatMap((one) => (one ?? '').split(/\s+/)).filter((word) => !/^\d+$/.test(word))
  return [...given, ...words].find((one) => recognizeIdentifier(one))?.trim() ?? given[0]?.trim() ?? ''
}
