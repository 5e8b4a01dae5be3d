import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { RunComparison } from '#shared/contract/runs.ts'
import { useSession } from '#web/auth/index.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { RunOutcome } from './run-outcome.tsx'
import styles from './runs.module.css'
import { costInWords, modelOf, optionsInWords, papersInWords, settingsInWords, starterOf } from './words.ts'

type Input = RunComparison['differing'][number]

/** The top of a comparison: both runs (recorded analyses or answers) with their inputs. Inputs that differ are highlighted. */
export function ComparedInputs({ comparison, address }: { comparison: RunComparison; address: string }) {
  const { session } = useSession()
  const { differing, one, other, only_in } = comparison
  const papersOf = (run: typeof one) =>
    run.papers === 1 && run.read_papers[0] ? (run.read_papers[0].title ?? '1') : papersInWords(run)
  const textOf = ({ papers, read_papers }: typeof one) =>
    papers === 1 && read_papers[0] ? `text version ${read_papers[0].text_version}` : null
  const sides = [
    { letter: 'A', run: one, only: only_in.one, Mark: OnlyOne },
    { letter: 'B', run: other, only: only_in.other, Mark: OnlyOther },
  ]
  return (
    <div className={styles.pairHead}>
      {sides.map(({ letter, run, only, Mark }) => {
        const mark = (input: Input, text: string) => (differing.includes(input) ? <Mark>{text}</Mark> : text)
        const text = textOf(run)
        const options = optionsInWords(run.options)
        const rows: [Input, string, string | null][] = [
          ['model_settings', 'Settings', settingsInWords(run.model_settings)],
          ['scope', 'Answer from', options.scope],
          ['retracted', 'Retracted papers', options.retracted],
          // Runs of earlier versions did not store the number.
          ['turns', 'Earlier questions', options.turns ?? 'other questions or answers'],
        ]
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
              {run.papers > 1 && only.length > 0 ? (
                <>
                  <dt>Only in {letter}</dt>
                  <dd>
                    <ul>
                      {only.map(({ id, title }) => (
                        <li key={id}>
                          <Mark>{title ?? 'A paper that was deleted or moved'}</Mark>
                        </li>
                      ))}
                    </ul>
                  </dd>
                </>
              ) : null}
              {rows.map(([input, name, words]) =>
                words && differing.includes(input) ? (
                  <Fragment key={input}>
                    <dt>{name}</dt>
                    <dd>{mark(input, words)}</dd>
                  </Fragment>
                ) : null,
              )}
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
