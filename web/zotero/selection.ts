import type { ZoteroImport, ZoteroSync, ZoteroTree } from '#shared/contract/zotero.ts'

/** The selected part of a Zotero library: all of it, or the collections with these keys. */
export interface Choice {
  all: boolean
  keys: ReadonlySet<string>
}
export const NOTHING: Choice = { all: false, keys: new Set() }

type Collection = ZoteroTree['collections'][number]

/**
 * Returns the collections whose parent is the collection `parent`, or the top-level collections of the library if `parent` is
 * null.
 */
export const childrenOf = ({ collections }: ZoteroTree, parent: string | null): Collection[] =>
  collections.filter((one) => one.parent === parent)

/** Returns the keys of all collections inside a collection, at any depth. */
function below(tree: ZoteroTree, key: string): string[] {
  return childrenOf(tree, key).flatMap((one) => [one.key, ...below(tree, one.key)])
}

function above(tree: ZoteroTree, key: string): string[] {
  const parent = tree.collections.find((one) => one.key === key)?.parent
  return parent ? [parent, ...above(tree, parent)] : []
}

/**
 * Returns the state of the checkbox of a collection, or of the library if `key` is null. 'some' means that only a part is
 * selected. With `withSubcollections`, a selected collection is also 'some' if a collection inside it is not selected.
 */
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
 * Returns the selection after a click on the checkbox of a collection, or of the library if `key` is null. With
 * `withSubcollections`, the click also selects or deselects all collections inside the collection.
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

/**
 * Returns the selection after 'With subcollections' was switched on: all collections inside the selected collections are
 * selected too.
 */
export const withDescendants = (tree: ZoteroTree, choice: Choice): Choice => ({
  all: choice.all,
  keys: new Set([...choice.keys].flatMap((key) => [key, ...below(tree, key)])),
})

/**
 * Converts the collections of an earlier import from a library to a selection. With `with_subcollections`, the collections
 * inside them are selected too. Omits collections that are no longer in Zotero.
 */
export function selectionOf(
  tree: ZoteroTree,
  { collections, with_subcollections }: Pick<ZoteroSync, 'collections' | 'with_subcollections'>,
): Choice {
  const known = tree.collections.filter(({ key }) => collections?.includes(key))
  const choice = { all: collections === null, keys: new Set(known.map(({ key }) => key)) }
  return with_subcollections ? withDescendants(tree, choice) : choice
}

/**
 * Returns the earlier imports that a new import would replace: those from the same library that have another selection or other
 * options, or that use the Zotero key of another user.
 */
export const replacedBy = (
  syncs: readonly ZoteroSync[],
  wanted: Pick<ZoteroImport, 'libraries' | 'with_subcollections' | 'with_pdfs' | 'with_tags'>,
): ZoteroSync[] =>
  syncs.filter((sync) => {
    const chosen = wanted.libraries.find(({ library }) => library === sync.library)
    const isSame =
      String(chosen?.collections?.toSorted()) === String(sync.collections?.toSorted()) &&
      (['with_subcollections', 'with_pdfs', 'with_tags'] as const).every((option) => wanted[option] === sync[option])
    return chosen && !(isSame && sync.is_own)
  })

/**
 * Returns the number of items in a selection. `isExact` is false if an item could be counted twice, because several collections
 * are selected.
 */
export function countOf(tree: ZoteroTree, { all, keys }: Choice): { count: number; isExact: boolean } {
  if (all) return { count: tree.count ?? 0, isExact: true }
  const chosen = tree.collections.filter((one) => keys.has(one.key) && one.count > 0)
  return { count: chosen.reduce((sum, one) => sum + one.count, 0), isExact: chosen.length < 2 }
}

/**
 * Returns the libraries and collections for the import request. If all subcollections of the selected collections are selected,
 * the request contains only the topmost collections and `with_subcollections`, so that subcollections that are added to Zotero
 * later are imported too. Otherwise it contains each selected collection.
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
