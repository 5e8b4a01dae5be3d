import type { ZoteroImport, ZoteroTree } from '#shared/contract/zotero.ts'

/** The chosen part of a library: all of it, or collections by their keys. */
export interface Choice {
  all: boolean
  keys: ReadonlySet<string>
}
export const NOTHING: Choice = { all: false, keys: new Set() }

type Collection = ZoteroTree['collections'][number]

/** Returns the collections directly in a collection; with null, those directly in the library. */
export const childrenOf = ({ collections }: ZoteroTree, parent: string | null): Collection[] =>
  collections.filter((one) => one.parent === parent)

/** Returns the keys of all collections below a collection. */
function below(tree: ZoteroTree, key: string): string[] {
  return childrenOf(tree, key).flatMap((one) => [one.key, ...below(tree, one.key)])
}

function above(tree: ZoteroTree, key: string): string[] {
  const parent = tree.collections.find((one) => one.key === key)?.parent
  return parent ? [parent, ...above(tree, parent)] : []
}

/** Returns the state of the checkbox of a collection, or of the library if `key` is null. */
export function stateOf(
  tree: ZoteroTree,
  { all, keys }: Choice,
  key: string | null,
  withSubcollections: boolean,
): boolean | 'some' {
  if (all) return true
  const inside = key === null ? tree.collections.map((one) => one.key) : below(tree, key)
  const isChosen = key !== null && keys.has(key)
  if (isChosen && (!withSubcollections || inside.every((one) => keys.has(one)))) return true
  return isChosen || inside.some((one) => keys.has(one)) ? 'some' : false
}

/**
 * Returns the choice after a click on a collection; null is the library. With subcollections, the click also selects or
 * deselects all collections below it.
 */
export function choose(
  tree: ZoteroTree,
  before: Choice,
  key: string | null,
  checked: boolean,
  withSubcollections: boolean,
): Choice {
  if (key === null) return { all: checked, keys: new Set() }
  const keys = new Set(before.all ? tree.collections.map((one) => one.key) : before.keys)
  for (const one of [key, ...(withSubcollections ? below(tree, key) : [])])
    if (checked) keys.add(one)
    else keys.delete(one)
  return { all: false, keys }
}

/** Returns the choice after 'With subcollections' was switched on: the collections below those chosen are chosen too. */
export const withDescendants = (tree: ZoteroTree, choice: Choice): Choice => ({
  all: choice.all,
  keys: new Set([...choice.keys].flatMap((key) => [key, ...below(tree, key)])),
})

/** Returns the number of items of a choice. `isExact` is false if an item can be in several of the collections. */
export function countOf(tree: ZoteroTree, { all, keys }: Choice): { count: number; isExact: boolean } {
  if (all) return { count: tree.count ?? 0, isExact: true }
  const chosen = tree.collections.filter((one) => keys.has(one.key) && one.count > 0)
  return { count: chosen.reduce((sum, one) => sum + one.count, 0), isExact: chosen.length < 2 }
}

/**
 * Returns the chosen libraries for the request. If all subcollections of the chosen collections are chosen, only the topmost
 * collections are requested, with their subcollections, so that later ones are imported too. Otherwise each chosen collection
 * is requested alone.
 */
export function requestOf(
  trees: readonly ZoteroTree[],
  choices: ReadonlyMap<string, Choice>,
  withSubcollections: boolean,
): Pick<ZoteroImport, 'libraries' | 'with_subcollections'> {
  const chosen = trees.map((tree) => ({ tree, ...(choices.get(tree.library) ?? NOTHING) }))
  const isWhole = ({ tree, all, keys }: (typeof chosen)[number]) =>
    all || [...keys].every((key) => below(tree, key).every((one) => keys.has(one)))
  const with_subcollections = withSubcollections && chosen.every(isWhole)
  const libraries = chosen.flatMap(({ tree, all, keys }): ZoteroImport['libraries'] => {
    if (all) return [{ library: tree.library, collections: null }]
    const comesAlong = (key: string) => with_subcollections && above(tree, key).some((one) => keys.has(one))
    const collections = [...keys].filter((key) => !comesAlong(key))
    return collections.length > 0 ? [{ library: tree.library, collections }] : []
  })
  return { libraries, with_subcollections }
}
