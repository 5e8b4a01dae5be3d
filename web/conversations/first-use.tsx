import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { grouped } from '#shared/text/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './conversations.module.css'
import { notVectorizedQuery } from './queries.ts'

/** Questions that suit nearly every project. */
const EXAMPLES = [
  'What do these papers report as their main result?',
  'Which methods did the studies use?',
  'Which limitations do the authors name?',
] as const

/**
 * Shown before the first question of a conversation: an introduction with example questions, or a link to the documents if the
 * project has no papers. `onAsk` asks an example question; null if the user must not ask.
 */
export function FirstUse({ project, onAsk }: { project: Project; onAsk: ((question: string) => void) | null }) {
  const isEmpty = project.document_count === 0
  return (
    <div className="relative mx-auto min-h-full max-w-3xl">
      <div className={styles.ruledLines} aria-hidden />
      <div className={styles.ruledText}>
        <h2>{isEmpty ? 'This project has no papers yet.' : 'Ask this project.'}</h2>
        <p>Each sentence of an answer is shown with its words in a paper, and with the page.</p>
        {isEmpty ? (
          <div>
            <Button asChild size="sm">
              <Link to={pages.documents(project.address)}>Go to the documents</Link>
            </Button>
          </div>
        ) : null}
        {onAsk && !isEmpty
          ? EXAMPLES.map((question) => (
              <button key={question} type="button" className={styles.example} onClick={() => onAsk(question)}>
                {question}
                <ArrowRight aria-hidden />
              </button>
            ))
          : null}
      </div>
    </div>
  )
}

/**
 * Shown in the evidence column while it shows no sentence. Explains the column and shows how many papers can be read. If
 * `isRefused` is true (the answer has no sentence, only the nearest passages), it says instead that no sentence was verified.
 */
export function NoEvidence({
  project,
  isRefused,
  leavesOutRetracted,
}: {
  project: Project
  isRefused: boolean
  /** True if the next question leaves out retracted papers. */
  leavesOutRetracted: boolean
}) {
  const papers = useQuery(notVectorizedQuery(project.id)).data
  if (isRefused)
    return (
      <p className="mt-0.5 text-meta text-muted-foreground">
        No sentence was verified. The nearest passages are words of the papers and not an answer.
      </p>
    )
  return (
    <>
      <p className="mt-0.5 text-meta text-muted-foreground">
        Point at a sentence of an answer: its words in the papers are shown here, with paper and page.
      </p>
      <h3>Papers that can be read</h3>
      <dl className={styles.readable}>
        <dt>Papers</dt>
        <dd>{grouped(project.document_count)}</dd>
        <dt>With text or abstract</dt>
        <dd>{papers ? grouped(papers.with_text) : '…'}</dd>
        <dt>Found by meaning</dt>
        <dd>{papers ? grouped(papers.vectorized) : '…'}</dd>
        <dt>Retracted</dt>
        <dd>{papers ? retractedText(papers.retracted, leavesOutRetracted) : '…'}</dd>
      </dl>
      {papers && papers.data.length > 0 ? (
        <p className="mt-0.5 text-meta text-muted-foreground">
          <Link className="text-link" to={pages.documents(project.address)}>
            Extract and vectorize
          </Link>{' '}
          the other papers to find all their passages.
        </p>
      ) : null}
    </>
  )
}

const retractedText = (count: number, isLeftOut: boolean) =>
  `${grouped(count)}${count > 0 && isLeftOut ? ', left out' : ''}`
