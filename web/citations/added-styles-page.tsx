import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { type AddedStyle, STYLE_MAX_BYTES, STYLE_TOO_LARGE } from '#shared/contract/citations.ts'
import { LoadingRows } from '#web/admin/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { shortDate } from '#web/lib/dates.ts'
import { fileSize } from '#web/lib/file-size.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { ActionsHead, cells, DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { HeadActions, HeadCount, Notice, Page, PageHead } from '#web/ui/page.tsx'
import { addedStylesQuery, useAddStyle, useDeleteStyle } from './queries.ts'

/** The citation styles that admins added for all users. */
export function AddedStylesPage() {
  useTitle('Citation styles')
  const { citations } = useSite()
  const list = useQuery({ ...addedStylesQuery, enabled: citations })
  const adding = useAddStyle()
  const deleting = useDeleteStyle()
  const input = useRef<HTMLInputElement>(null)
  const add = async (file: File | undefined) => {
    if (!file) return
    const failed = (message: string) =>
      toast({ title: 'Error adding the style', description: message, destructive: true })
    if (file.size > STYLE_MAX_BYTES) return failed(STYLE_TOO_LARGE)
    await adding.mutateAsync(await file.text()).then(
      ({ title }) => toast({ title: 'Style added', description: title }),
      (error: unknown) => failed(messageOf(error)),
    )
  }
  const remove = async ({ id, title }: AddedStyle) => {
    const sure = await confirm({
      title: 'Delete this style?',
      about: `“${title}” is removed for all users. Projects with this default style cite in the usual style.`,
      action: 'Delete style',
    })
    if (!sure) return
    await deleting.mutateAsync(id).then(
      () => toast({ title: 'Style deleted' }),
      (error: unknown) =>
        toast({ title: 'Error deleting the style', description: messageOf(error), destructive: true }),
    )
  }
  if (!citations)
    return (
      <Page>
        <Notice>
          <h2>Citations are switched off</h2>
          <p>The setting CITATIONS of this installation is off.</p>
        </Notice>
      </Page>
    )
  const button = (
    <Button variant="primary" disabled={adding.isPending} onClick={() => input.current?.click()}>
      <Plus aria-hidden />
      {adding.isPending ? 'Adding...' : 'Add style'}
    </Button>
  )
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>
          Citation styles
          {list.data ? <HeadCount className="tabular-nums lining-nums">{list.data.length}</HeadCount> : null}
        </h1>
        <HeadActions>{list.data?.length === 0 ? null : button}</HeadActions>
      </PageHead>
      <input
        ref={input}
        type="file"
        accept=".csl,application/xml,text/xml"
        aria-label="Style file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          void add(file)
        }}
      />
      {list.isLoadingError ? (
        <LoadFailed title="The styles could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data?.length === 0 ? (
        <EmptyState
          title="No styles added."
          about="The styles of citationstyles.org are included. A .csl file of at most 500 kB adds another one for all users."
          actions={button}
        />
      ) : (
        <StylesTable rows={list.data} onDelete={(style) => void remove(style)} />
      )}
    </Page>
  )
}

function StylesTable({
  rows,
  onDelete,
}: {
  rows: readonly AddedStyle[] | undefined
  onDelete: (style: AddedStyle) => void
}) {
  return (
    <DataTable aria-busy={rows === undefined}>
      <thead>
        <tr>
          <th scope="col">Style</th>
          <th scope="col">Size</th>
          <th scope="col">Added</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {rows === undefined ? (
          <LoadingRows columns={4} rows={3} />
        ) : (
          rows.map((style) => (
            <tr key={style.id}>
              <td className={cells.wide}>
                <b>{style.title}</b>
                <p className="text-muted-foreground text-meta wrap-anywhere">
                  {[style.style_id, style.locale, style.parent && `depends on ${style.parent}`]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </td>
              <td className="tabular-nums lining-nums whitespace-nowrap" data-label="Size">
                {fileSize(style.bytes)}
              </td>
              <td className="tabular-nums lining-nums whitespace-nowrap" data-label="Added">
                {shortDate(style.created_at)}
                {style.added_by ? `, ${style.added_by}` : ''}
              </td>
              <td className={cells.end}>
                <Button variant="ghost" size="sm" aria-label={`Delete ${style.title}`} onClick={() => onDelete(style)}>
                  Delete
                </Button>
              </td>
            </tr>
          ))
        )}
      </tbody>
    </DataTable>
  )
}
