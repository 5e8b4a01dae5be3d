import { parse } from '@retorquere/bibtex-parser'

/**
 * Returns the names of the JabRef groups of each entry, by key. Old versions of JabRef list the keys in the group tree, which
 * is in `comments`; newer versions write the field `groups` into each entry. Empty if the tree cannot be read.
 */
export function groupsByKey(comments: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  const trees = comments.filter((comment) => /^@comment\s*[{(]\s*jabref-meta:\s*group/i.test(comment))
  if (trees.length === 0) return groups
  try {
    for (const group of Object.values(parse(trees.join('\n')).jabref.groups))
      for (const key of group.entries) groups.set(key, [...(groups.get(key) ?? []), group.name])
  } catch {
    // A group tree that cannot be read does not stop the import of the entries.
    return new Map()
  }
  return groups
}

/** Splits the value of the BibTeX field `groups`, which JabRef writes, at commas. */
export const groupsOfField = (value: string | undefined) =>
  value
    ?.split(',')
    .map((group) => group.trim())
    .filter(Boolean) ?? []
