import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { useMay } from '#web/lib/rights.tsx'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackToProjects, LazyProjectDialog } from '#web/projects/index.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Alert, Progress, Skeleton } from '#web/ui/marks.tsx'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { recommendationsQuery } from './queries.ts'
import { RecommendationCard } from './recommendation-card.tsx'
import styles from './recommendations.module.css'
import { useResearch } from './use-research.ts'

const NO_QUESTION_HINT = 'Set a research question in your project settings to generate research.'

/** The page with the papers that are recommended for the project's research question. */
export function DiscoverPage({ project }: { project: Project }) {
  useTitle(`Discover · ${project.name}`)
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
  const mayEdit = useMay('edit')
  const mayManage = useMay('manage')
  const list = useQuery(recommendationsQuery(project.id))
  const { active, busy, failure, start, stop } = useResearch(project.id)
  useErrorToast('Error loading recommendations', list.error)
  const question = project.research_question?.trim()
  const rows = list.data?.data ?? []
  const open = rows.filter(({ status, document_id }) => status === 'pending' && !document_id).length
  return (
    <Page>
      <BackToProjects />
      <PageHead className={styles.discoverHead}>
        <div>
          <h1>Discover{open > 0 ? <HeadCount>{open}</HeadCount> : null}</h1>
          {question ? <p className={styles.question}>{question}</p> : null}
        </div>
        {mayEdit ? (
          <HeadActions className={styles.headActions}>
            <Button
              variant="primary"
              disabled={!question || busy}
              aria-describedby={question ? undefined : 'no-question'}
              onClick={start}
            >
              Generate Research
            </Button>
          </HeadActions>
        ) : null}
      </PageHead>
      {question || !mayEdit ? null : (
        <p className="mt-1 text-muted-foreground max-md:mt-2.5" id="no-question">
          {NO_QUESTION_HINT}
        </p>
      )}
      <div className={styles.progressRow} role="status">
        {busy ? (
          <>
            <span>{active?.progress_text ?? 'Waiting to start'}</span>
            <Progress value={active?.progress ?? 0} label="Generating research" />
            {active?.is_own ? (
              <Button variant="ghost" size="sm" onClick={() => void stop()}>
                Cancel
              </Button>
            ) : null}
          </>
        ) : failure ? (
          <Alert>
            <TriangleAlert aria-hidden />
            {failure}
          </Alert>
        ) : null}
      </div>
      {list.isLoadingError ? (
        <LoadFailed
          title="The recommendations could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      ) : !list.data || (busy && rows.length === 0) ? (
        <Loading />
      ) : rows.length === 0 ? (
        <EmptyState
          title="No recommendations yet."
          about={
            question && mayEdit
              ? 'Generate Research searches OpenAlex for papers that answer the research question, and leaves out the papers of this project.'
              : 'Papers recommended for the research question of this project are listed here.'
          }
          actions={
            question || !mayManage ? null : <Button onClick={() => setEditing(true)}>Set a research question</Button>
          }
        />
      ) : (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(30rem,100%),1fr))] gap-x-6 gap-y-7">
          {rows.map((row) => (
            <RecommendationCard key={row.id} project={project} row={row} />
          ))}
        </div>
      )}
      <LazyProjectDialog
        project={project}
        open={editing}
        onOpenChange={setEditing}
        onSaved={(saved) =>
          saved.address !== project.address && void navigate({ to: pages.discover(saved.address), replace: true })
        }
      />
    </Page>
  )
}

const Loading = () => (
  <div
    className="grid grid-cols-[repeat(auto-fill,minmax(min(30rem,100%),1fr))] gap-x-6 gap-y-7"
    role="status"
    aria-label="Searching for recommendations"
  >
    {[0, 1].map((at) => (
      <div className={styles.card} key={at} aria-hidden>
        <Skeleton height="1.5rem" width="80%" />
        <Skeleton height="6rem" />
      </div>
    ))}
  </div>
)
