import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { RunComparison } from '#shared/contract/runs.ts'
import { useSession } from '#web/auth/index.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { RunOutcome } from './run-outcome.tsx'
import styles from './runs.module.css'
import { costInWords, modelOf, starterOf } from './words.ts'

type Input = RunComparison['differing'][number]

/** The top of a comparison: both runs (recorded analyses or answers) with their inputs. Inputs that differ are highlighted. */
export function ComparedInputs({ comparison, address }: { comparison: RunComparison; address: string }) {
  const { session } = useSession()
  const { differing, one, other } = comparison
  const papersOf = ({ papers, read_papers }: typeof one) =>
    papers === 1 && read_papers[0] ? (read_papers[0].title ?? '1') : grouped(papers)
  const textOf = ({ papers, read_papers }: typeof one) =>
    papers === 1 && read_papers[0] ? `text version ${read_papers[0].text_version}` : null
  const sides = [
    { letter: 'A', run: one, Mark: OnlyOne },
    { letter: 'B', run: other, Mark: OnlyOther },
  ]
  return (
    <div className={styles.pairHead}>
      {sides.map(({ letter, run, Mark }) => {
        const mark = (input: Input, text: string) => (differing.includes(input) ? <Mark>{text}</Mark> : text)
        const text = textOf(run)
        return (
          <section key={letter} aria-label={`Run ${letter}`}>
            <h2>
              <span className={styles.runLetter}>{letter}</span>
              <Link to={pages.run(address, run.id)}>
                Run {run.number}, {shortDateAndTime(run.started_at)}
              </Link>
            </h2>
            <dl className={styles.inputs}>
              {run.kind === 'library_answer' ? (
                <>
                  <dt>Question</dt>
                  <dd>{mark('question', run.title)}</dd>
                </>
              ) : null}
              <dt>Who</dt>
              <dd>{starterOf(run, session?.user.id)}</dd>
              <dt>Model</dt>
              <dd>{mark('model', modelOf(run))}</dd>
              {run.prompt ? (
                <>
                  <dt>Prompt</dt>
                  <dd>{mark('prompt', `${run.prompt.name}, version ${run.prompt.version}`)}</dd>
                </>
              ) : null}
              <dt>{run.papers === 1 ? 'Paper' : 'Papers'}</dt>
              <dd>
                {mark('papers', papersOf(run))}
                {text ? <>, {mark('texts', text)}</> : null}
              </dd>
              {differing.includes('code_version') ? (
                <>
                  <dt>Server</dt>
                  <dd>{mark('code_version', run.code_version)}</dd>
                </>
              ) : null}
              <dt>Cost</dt>
              <dd>{costInWords(run)}</dd>
              {run.status === 'completed' && !run.cached ? null : (
                <>
                  <dt>Outcome</dt>
                  <dd>
                    <RunOutcome run={run} />
                  </dd>
                </>
              )}
            </dl>
          </section>
        )
      })}
    </div>
  )
}

const OnlyOne = ({ children }: { children: ReactNode }) => <del className={styles.onlyOne}>{children}</del>
const OnlyOther = ({ children }: { children: ReactNode }) => <ins className={styles.onlyOther}>{children}</ins>
