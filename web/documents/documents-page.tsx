import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Upload } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { DOCUMENTS_PAGE_SIZE, DOCUMENTS_PAGE_SIZES } from '#shared/contract/address-values.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { DriveButton } from '#web/drive/index.ts'
import { LazyExportDialog } from '#web/exports/index.ts'
import { ActiveImports, ImportFileDialog, ImportMenu, isReferenceFile } from '#web/imports/index.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { Interruptible } from '#web/lib/interruptible.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { MountOnce } from '#web/lib/mount-once.tsx'
import { useMay } from '#web/lib/rights.tsx'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { DuplicatesHint } from '#web/duplicates/index.ts'
import { BulkSummary, useBulkRuns } from '#web/processing/index.ts'
import { BackToProjects } from '#web/projects/index.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { useFocusAfterRemoval } from '#web/ui/focus-after-removal.ts'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { BatchProgress, LazyUploadDialog, usePageDrop, useUploadQueue } from '#web/upload/index.ts'
import { AppliedFilters } from './applied-filters.tsx'
import { confirmAndDelete } from './delete-documents.ts'
import { DocumentsTable } from './documents-table.tsx'
import styles from './documents.module.css'
import { FilterBar } from './filter-bar.tsx'
import { rememberList } from './last-list.ts'
import { NoDocuments } from './no-documents.tsx'
import { documentFiltersQuery, documentsQuery } from './queries.ts'
import { DEFAULT_SORT, exportFilter, isFiltered, listParams } from './search.ts'
import type { DocumentsSearch } from './search.ts'
import { useLastPage } from './use-last-page.ts'
import { useSelection } from './use-selection.ts'

const BulkWork = lazyPart(() => import('./bulk-work.tsx').then((file) => file.BulkWork))

/** The list of documents of a project. Search text, filters, sorting and page number are search parameters of the URL. */
export function DocumentsPage({
  project,
  search,
  onSearch,
}: {
  project: Project
  search: DocumentsSearch
  onSearch: (search: DocumentsSearch) => void
}) {
  useTitle(`Documents · ${project.name}`)
  useEffect(() => rememberList(project.id), [project.id, search])
  const list = useQuery(documentsQuery(listParams(project.id, search)))
  const filters = useQuery({ ...documentFiltersQuery(project.id), enabled: useFirstAnswers() })
  useErrorToast('Error fetching tags', filters.error)
  const selection = useSelection(list.data?.data ?? [])
  const mayEdit = useMay('edit')
  const bulk = useBulkRuns(project.id)
  const queue = useUploadQueue(project)
  const [exporting, setExporting] = useState(false)
  const [uploading, setUploading] = useState(false)
  const [references, setReferences] = useState<readonly File[]>([])
  const dropping = usePageDrop(mayEdit, (files) => {
    const dropped = Object.groupBy(files, (file) => (isReferenceFile(file) ? 'references' : 'papers'))
    setReferences(dropped.references ?? [])
    if (!dropped.papers) return
    queue.add(dropped.papers)
    setUploading(true)
  })

  const change = (patch: Partial<DocumentsSearch>) => onSearch({ ...search, page: undefined, ...patch })
  const searched = Boolean(search.search?.trim())
  const narrowed = searched || isFiltered(search)
  const limit = search.limit ?? DOCUMENTS_PAGE_SIZE
  const rows = list.data?.data
  const count = list.data?.count ?? 0
  const pageCount = Math.ceil(count / limit)
  const toPage = (page: number) => onSearch({ ...search, page: page > 1 ? page : undefined })
  const toLastPage = () => toPage(pageCount)
  useLastPage(search.page ?? 1, count > 0 && !list.isPlaceholderData ? rows?.length : undefined, toLastPage)
  const tableOf = (shown: typeof rows) => (
    <DocumentsTable
      projectId={project.id}
      rows={shown}
      sort={search.sort ?? (searched ? '' : DEFAULT_SORT)}
      onSort={(sort) => change({ sort: sort === DEFAULT_SORT && !searched ? undefined : sort })}
      linkTo={(row) => pages.document(project.address, row.id)}
      selection={{ ids: selection.ids, onChange: selection.change }}
      actions={{
        view: (row) => pages.document(project.address, row.id),
        edit: (row) => pages.documentEdit(project.address, row.id),
        onDelete: (row) => void confirmAndDelete(row).then((gone) => gone && selection.change([row], false)),
      }}
      onLastPage={count > 0 ? toLastPage : undefined}
    />
  )
  return (
    <Page {...useFocusAfterRemoval('tbody tr, [data-slot=chip]')}>
      <BackToProjects />
      <PageHead>
        <h1>
          Documents
          <HeadCount>
            {narrowed && rows ? count : project.document_count}
            {narrowed && rows ? <span className="max-md:hidden"> of {project.document_count}</span> : null}
          </HeadCount>
        </h1>
        <HeadActions>
          <PageMenu count={count} onExport={() => setExporting(true)} />
          {mayEdit ? (
            <>
              <DriveButton project={project} />
              <ImportMenu project={project} />
              <Button variant="primary" onClick={() => setUploading(true)}>
                <Upload aria-hidden className="max-md:hidden" />
                <span>
                  Upload<span className="max-md:sr-only"> Document</span>
                </span>
              </Button>
            </>
          ) : null}
        </HeadActions>
      </PageHead>
      <BatchProgress project={project} onUpload={() => setUploading(true)} />
      <ActiveImports projectId={project.id} />
      <DuplicatesHint project={project} />
      {bulk.ended ? <BulkSummary run={bulk.ended} address={project.address} onDismiss={bulk.dismiss} /> : null}
      <FilterBar
        search={search}
        filters={filters.data}
        onRetry={filters.isError && !filters.isFetching ? () => void filters.refetch() : undefined}
        onChange={change}
      />
      <AppliedFilters search={search} filters={filters.data} onChange={change} />
      {list.isLoadingError ? (
        <LoadFailed title="The documents could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
      ) : rows && count === 0 ? (
        <NoDocuments
          project={project}
          search={search}
          head={tableOf(rows)}
          onUpload={() => setUploading(true)}
          onChange={change}
        />
      ) : rows === undefined ? (
        tableOf(undefined)
      ) : (
        <Interruptible fallback={tableOf(undefined)}>
          {list.data?.any_word ? (
            <p className="text-muted-foreground mb-3" role="status">
              No paper has all of these words. These have some of them.
            </p>
          ) : null}
          {tableOf(rows)}
          <Pager
            page={search.page ?? 1}
            pageCount={pageCount}
            limit={limit}
            limits={DOCUMENTS_PAGE_SIZES}
            count={count}
            onPage={toPage}
            onLimit={(size) => change({ limit: size === DOCUMENTS_PAGE_SIZE ? undefined : size })}
          />
        </Interruptible>
      )}
      <MountOnce when={selection.rows.length > 0 || bulk.active.length > 0}>
        <BulkWork
          project={project}
          rows={selection.rows}
          hidden={selection.hidden}
          active={bulk.active}
          onGone={(gone) => selection.change(gone, false)}
          onClear={selection.clear}
        />
      </MountOnce>
      {exporting ? (
        <LazyExportDialog
          request={{ project_id: project.id, filter: exportFilter(search) }}
          count={count}
          onClose={() => setExporting(false)}
        />
      ) : null}
      <Suspense>
        {references.length > 0 ? (
          <ImportFileDialog project={project} dropped={references} onClose={() => setReferences([])} />
        ) : null}
      </Suspense>
      <LazyUploadDialog
        project={project}
        queue={queue}
        open={uploading && mayEdit && references.length === 0}
        onOpenChange={setUploading}
      />
      {dropping ? (
        <div className={styles.pageDrop}>
          <p>Drop to add to {project.name}</p>
        </div>
      ) : null}
    </Page>
  )
}

/** The menu with the actions on all documents that match the filters, on all pages of the list. */
const PageMenu = ({ count, onExport }: { count: number; onExport: () => void }) => (
  <Menu
    trigger={
      <IconButton label="More actions">
        <Ellipsis aria-hidden />
      </IconButton>
    }
  >
    <MenuItem disabled={count === 0} onSelect={onExport}>
      Export…
    </MenuItem>
  </Menu>
)
