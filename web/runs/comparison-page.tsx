import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { type ComparedRow as Row, hasOnlyOtherQuotes, type RunComparison } from '#shared/contract/runs.ts'
import { counted } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Fold } from '#web/ui/fold.tsx'
import { Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { HeadActions, Page, PageHead } from '#web/ui/page.tsx'
import { ComparedInputs } from './compared-inputs.tsx'
import { ComparedRow, Marked } from './compared-row.tsx'
import { ExportMenu } from './export-menu.tsx'
import { comparisonQuery } from './queries.ts'
import styles from './runs.module.css'
import type { COMPARED_TABS, ComparisonSearch } from './search.ts'
import { useReader } from './use-reader.tsx'

type Tab = (typeof COMPARED_TABS)[number]

/** The page that compares two runs (recorded analyses or answers) of the same kind side by side, word by word. */
export function ComparisonPage({
  project,
  search,
  onShow,
}: {
  project: Project
  search: ComparisonSearch
  /** Stores the selected tab in the URL. */
  onShow: (show: Tab | undefined) => void
}) {
  const { one, other, show = 'different' } = search
  useTitle(`Two runs compared · ${project.name}`)
  const query = useQuery(comparisonQuery(one, other))
  const comparison = query.data?.one.project_id === project.id ? query.data : undefined
  return (
    <Page>
      <Link to={pages.runs(project.address)} className="back-link">
        ← Back to runs
      </Link>
      <PageHead>
        <h1>Two runs compared</h1>
        {comparison ? (
          <HeadActions>
            <ExportMenu addressOf={(format) => api.runComparisonExport(one, other, format)} />
          </HeadActions>
        ) : null}
      </PageHead>
      {comparison ? (
        <Compared comparison={comparison} address={project.address} show={show} onShow={onShow} />
      ) : query.isPending ? (
        <SpinnerRow>
          <Spinner label="Comparing runs" />
        </SpinnerRow>
      ) : (
        <LoadFailed
          title="The runs could not be compared"
          error={query.error ?? new Error('Run not found')}
          onRetry={() => void query.refetch()}
        />
      )}
    </Page>
  )
}

const BELONGS: Record<Tab, (row: Row) => boolean> = {
  different: (row) => row.state !== 'equal' || hasOnlyOtherQuotes(row),
  changed: ({ state }) => state === 'changed',
  only: ({ state }) => state === 'only one' || state === 'only other',
  quotes: hasOnlyOtherQuotes,
  equal: ({ state }) => state === 'equal',
}

function Compared({
  comparison,
  address,
  show,
  onShow,
}: {
  comparison: RunComparison
  address: string
  show: Tab
  onShow: (show: Tab | undefined) => void
}) {
  const { counts, rows, prompts } = comparison
  const papers = [...comparison.one.read_papers, ...comparison.other.read_papers]
  const { show: showPassage, reader, paperOf } = useReader(address, papers)
  const { changed, only_one: only, equal, other_quotes: quotes } = counts
  const tabs: [Tab, string, number][] = [
    ['different', 'Different', changed + only + quotes],
    ['changed', 'Changed', changed],
    ['only', 'Only in one', only],
    ...(quotes > 0 || show === 'quotes' ? [['quotes', 'Other quotes', quotes] as [Tab, string, number]] : []),
    ['equal', 'Equal', equal],
  ]
  const list = (belongs: (row: Row) => boolean) =>
    rows
      .filter(belongs)
      .map((row, at) => <ComparedRow key={`${at} ${row.label}`} row={row} paperOf={paperOf} onShow={showPassage} />)
  const shown = list(BELONGS[show])
  return (
    <>
      <div className="mb-3.5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className={styles.comparisonTabs} role="group" aria-label="Values">
          {tabs.map(([tab, label, count]) => (
            <button
              key={tab}
              type="button"
              aria-pressed={show === tab}
              onClick={() => onShow(tab === 'different' ? undefined : tab)}
            >
              {label} <span>{count}</span>
            </button>
          ))}
        </div>
        <p className={styles.legend}>
          <del className={styles.onlyOne}>only in A</del>
          <ins className={styles.onlyOther}>only in B</ins>
        </p>
      </div>
      <ComparedInputs comparison={comparison} address={address} />
      {shown.length > 0 ? (
        shown
      ) : (
        <p className="border-b border-border py-5 text-meta leading-6.25 text-muted-foreground">{NOTHING[show]}</p>
      )}
      {show === 'different' && prompts ? (
        <Fold summary="The texts of the prompts differ">
          <div className={styles.pairOfPrompts}>
            <p className={styles.promptText}>
              <Marked parts={prompts.one} side="one" />
            </p>
            <p className={styles.promptText}>
              <Marked parts={prompts.other} side="other" />
            </p>
          </div>
        </Fold>
      ) : null}
      {show === 'different' && equal > quotes ? (
        <Fold
          summary={equal - quotes === 1 ? '1 value is equal' : `${counted(equal - quotes, 'value')} are equal`}
          about="and so are the quotes"
        >
          {list((row) => !BELONGS.different(row))}
        </Fold>
      ) : null}
      {reader}
    </>
  )
}

const NOTHING: Record<Tab, string> = {
  different: 'Both runs have the same values and quotes.',
  changed: 'No value has changed.',
  only: 'No value is in one run only.',
  quotes: 'Equal values have the same quotes.',
  equal: 'No value is equal.',
}
