import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { RUN_KIND_LABELS, type RunDetails } from '#shared/contract/runs.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { HeadActions, Notice, Page, PageHead } from '#web/ui/page.tsx'
import { ExportMenu } from './export-menu.tsx'
import { runQuery } from './queries.ts'
import { Quote } from './quotes.tsx'
import { RunInputs } from './run-inputs.tsx'
import styles from './runs.module.css'
import { useReader } from './use-reader.tsx'

/** The page of a run (a recorded analysis or answer): its inputs, the text of its prompt, and its results with their quotes. */
export function RunPage({ project, id }: { project: Project; id: string }) {
  const query = useQuery(runQuery(id))
  const run = query.data?.project_id === project.id ? query.data : undefined
  useTitle(run ? `Run ${run.number} · ${project.name}` : undefined)
  const isMissing = (query.error instanceof ApiError && query.error.status === 404) || (query.data && !run)
  return (
    <Page>
      <Link to={pages.runs(project.address)} className="back-link">
        ← Back to runs
      </Link>
      {run ? (
        <>
          <PageHead>
            <h1>Run {run.number}</h1>
            <HeadActions>
              <ExportMenu addressOf={(format) => api.runExport(run.id, format)} />
            </HeadActions>
          </PageHead>
          <h2 className="max-w-(--measure) font-serif text-[1.5rem] leading-7.75 font-semibold tracking-[-0.018em] text-balance wrap-anywhere">
            {run.title}
          </h2>
          <p className="mt-1.5 mb-5 text-meta text-muted-foreground">
            {RUN_KIND_LABELS[run.kind]}, {shortDateAndTime(run.started_at)}
          </p>
          <RunInputs run={run} address={project.address} />
          <Values run={run} address={project.address} />
        </>
      ) : query.isPending ? (
        <SpinnerRow>
          <Spinner label="Loading run" />
        </SpinnerRow>
      ) : (
        <Notice>
          <h1>{isMissing ? 'Run not found' : 'The run could not be loaded'}</h1>
          {isMissing ? null : (
            <>
              <p>{messageOf(query.error)}</p>
              <Button onClick={() => void query.refetch()}>Retry</Button>
            </>
          )}
        </Notice>
      )}
    </Page>
  )
}

function Values({ run, address }: { run: RunDetails; address: string }) {
  const { show, reader, paperOf } = useReader(address, run.read_papers)
  // With one paper only, the title of the run names it, so the values do not.
  const names = new Set(run.values.map(({ of }) => of))
  if (run.values.length === 0)
    return run.status === 'running' ? (
      <p className="text-meta leading-6.25 text-muted-foreground">No values yet.</p>
    ) : null
  return (
    <section aria-label="Values">
      {run.values.map(({ label, of, text, evidence }, at) => (
        <div key={`${at} ${label}`} className={styles.valueRow}>
          <h3 className={styles.label}>
            {label}
            {of && names.size > 1 ? <span>{of}</span> : null}
          </h3>
          <div>
            <p className={styles.valueText}>{text}</p>
            {evidence.map((place, index) => (
              <Quote
                key={`${index} ${place.page} ${place.start}`}
                place={place}
                paper={paperOf(place.document_id)}
                text={place.quote}
                onShow={show}
              >
                “{place.quote.trim()}”
              </Quote>
            ))}
          </div>
        </div>
      ))}
      {reader}
    </section>
  )
}
