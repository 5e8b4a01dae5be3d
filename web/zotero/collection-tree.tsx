import { ChevronDown, ChevronRight } from 'lucide-react'
import { type CSSProperties, useId, useState } from 'react'
import type { ZoteroTree } from '#shared/contract/zotero.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { type Choice, childrenOf, NOTHING, stateOf } from './selection.ts'
import styles from './zotero.module.css'

interface TreeProps {
  choices: ReadonlyMap<string, Choice>
  withSubcollections: boolean
  /** Called with the key of the collection; null for the whole library. */
  onChange: (tree: ZoteroTree, key: string | null, checked: boolean) => void
}

/** The tree of the user's Zotero libraries and their collections, each with a checkbox and its number of items. */
export const CollectionTree = ({ trees, ...props }: TreeProps & { trees: readonly ZoteroTree[] }) => (
  <ul className="border-t-[1.5px] border-rule" aria-label="Zotero libraries">
    {trees.map((tree, at) => (
      <Branch key={tree.library} tree={tree} node={null} depth={0} opened={at === 0} {...props} />
    ))}
  </ul>
)

/** A library (`node` is null) or a collection of the tree, with the collections in it. */
function Branch({
  tree,
  node,
  depth,
  opened = false,
  ...props
}: TreeProps & {
  tree: ZoteroTree
  node: ZoteroTree['collections'][number] | null
  depth: number
  opened?: boolean
}) {
  const id = useId()
  const [open, setOpen] = useState(opened)
  const inside = childrenOf(tree, node?.key ?? null)
  const name = node?.name ?? tree.name
  const choice = props.choices.get(tree.library) ?? NOTHING
  const { withSubcollections } = props
  return (
    <li>
      <div
        className={styles.row}
        data-library={node === null || undefined}
        style={{ '--depth': depth } as CSSProperties}
      >
        {inside.length > 0 ? (
          <button
            type="button"
            className={styles.twist}
            aria-expanded={open}
            aria-label={`Collections of ${name}`}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          </button>
        ) : (
          <span className={styles.twist} />
        )}
        <Checkbox
          id={id}
          disabled={tree.error !== null}
          checked={stateOf(tree, choice, node?.key ?? null, withSubcollections)}
          onChange={(checked) => props.onChange(tree, node?.key ?? null, checked)}
        />
        <label htmlFor={id} className="min-w-0 cursor-pointer py-1.5 wrap-anywhere">
          {name}
          {node === null && tree.error ? <small>{tree.error}</small> : null}
        </label>
        <span className="ml-auto text-meta text-muted-foreground lining-nums tabular-nums">
          {node ? node.count : tree.count}
        </span>
      </div>
      {open && inside.length > 0 ? (
        <ul aria-label={`Collections of ${name}`}>
          {inside.map((one) => (
            <Branch key={one.key} tree={tree} node={one} depth={depth + 1} {...props} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}
