import { useQuery } from '@tanstack/react-query'
import { cslDate, cslName } from '#shared/contract/references.ts'
import { ZOTERO_NOT_STORED, type ZoteroOfDocument } from '#shared/contract/zotero.ts'
import { isoDate } from '#shared/references/dates.ts'
import { displayName } from '#shared/references/names.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { shortDate } from '#web/lib/dates.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { itemQuery, useZoteroValues } from './queries.ts'
import styles from './zotero.module.css'

/**
 * Shows the Zotero item of a paper beside the paper: its library, its state, and the fields whose values differ. Renders
 * nothing for papers that are not from Zotero.
 */
export function ZoteroItem({ documentId, labelOf }: { documentId: string; labelOf: (field: string) => string }) {
  const { data: item } = useQuery(itemQuery(documentId))
  if (!item) return null
  return (
    <section>
      <h2>Zotero</h2>
      <p className="text-meta">
        {item.address ? (
          <a className="text-link" href={item.address} target="_blank" rel="noreferrer">
            {item.library_name}
          </a>
        ) : (
          item.library_name
        )}
      </p>
      {item.removed_at ? (
        <p className="text-muted-foreground text-meta mt-1">Removed in Zotero, found on {shortDate(item.removed_at)}</p>
      ) : null}
      {item.file === 'not_stored' ? (
        <p className="text-muted-foreground text-meta mt-1">PDF {ZOTERO_NOT_STORED}</p>
      ) : null}
      {item.differences.length > 0 ? <Differences documentId={documentId} item={item} labelOf={labelOf} /> : null}
    </section>
  )
}

function Differences({
  documentId,
  item,
  labelOf,
}: {
  documentId: string
  item: NonNullable<ZoteroOfDocument>
  labelOf: (field: string) => string
}) {
  const mayEdit = useMay('edit')
  const using = useZoteroValues(documentId)
  const use = (field: string, zotero: unknown) =>
    whenDone(using.mutateAsync({ [field]: zotero }), {
      onSuccess: () => toast({ title: 'The value of Zotero is used' }),
      onError: (error) => toast({ title: 'Error', description: reasonOf(error), destructive: true }),
    })
  return (
    <>
      <h3 className="mt-3 text-sm font-semibold">Differs from Zotero</h3>
      <ul>
        {item.differences.map(({ field, zotero }) => (
          <li key={field} className={styles.difference}>
            <p>
              <b>{labelOf(field)}</b>: <span>{textOf(zotero)}</span>
            </p>
            {mayEdit ? (
              <div>
                <Button
                  size="sm"
                  disabled={using.isPending}
                  aria-label={`Use Zotero’s value: ${labelOf(field)}`}
                  onClick={() => use(field, zotero)}
                >
                  Use Zotero’s value
                </Button>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  )
}

const reasonOf = (error: Error) =>
  error instanceof ApiError && error.code === 'changed'
    ? 'The value in Zotero changed in the meantime. The page shows the new value.'
    : messageOf(error)

/** Returns the value of a field as text. */
function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return value
      .map((one) => {
        const name = cslName.safeParse(one).data
        return typeof one === 'string' ? one : name ? displayName(name) : ''
      })
      .filter(Boolean)
      .join(', ')
  const date = cslDate.safeParse(value).data
  return date ? isoDate(date) : ''
}
