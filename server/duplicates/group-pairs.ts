import type { GroupedPair } from './pair-queries.ts'

/**
 * Divides the pairs of suspected duplicates into groups. Each connected component of the graph of pairs is one group, whose id
 * is the smallest document id in it. Returns the pairs whose group changes, with the new group.
 */
export function regrouped(pairs: readonly GroupedPair[]): GroupedPair[] {
  const parents = new Map<string, string>()
  const rootOf = (id: string): string => {
    let root = id
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent
    for (let at = id; at !== root;) {
      const next = parents.get(at)!
      parents.set(at, root)
      at = next
    }
    return root
  }
  for (const { first, second } of pairs) {
    const [a, b] = [rootOf(first), rootOf(second)]
    if (a !== b) parents.set(a > b ? a : b, a > b ? b : a)
  }
  return pairs.flatMap((pair) => {
    const group = rootOf(pair.first)
    return group === pair.group ? [] : [{ ...pair, group }]
  })
}
