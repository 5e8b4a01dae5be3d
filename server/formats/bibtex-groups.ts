import { parse } from '@retorquere/bibtex-parser'

/**
 * Returns the entries of the groups of JabRef by key: files of old versions list the keys in the group tree. Newer versions
 * write the field `groups` into each entry.
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

/** Returns the groups of the field `groups`. */
export const groupsOfField = (value: string | undefined) =>
  value
    ?.split(',')
    .map((group) => group.trim())
    .filter(Boolean) ?? []
