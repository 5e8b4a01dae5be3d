import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { RunDetails } from '#shared/contract/runs.ts'
import { useSession } from '#web/auth/index.ts'
import { grouped } from '#shared/text/numbers.ts'
import { Fold } from '#web/ui/fold.tsx'
import { RunOutcome } from './run-outcome.tsx'
import styles from './runs.module.css'
import { costInWords, durationOf, modelOf, optionsInWords, papersInWords, settingsInWords, starterOf } from './words.ts'

/** The inputs of a run (a recorded analysis or answer), its cost and its outcome. The text of the prompt is collapsed. */
export function RunInputs({ run, address }: { run: RunDetails; address: string }) {
  const { session } = useSession()
  const duration = durationOf(run)
  const settings = settingsInWords(run.model_settings)
  const { question, options } = run.input
  const { scope, retracted, turns } = optionsInWords(options)
  return (
    <>
      <dl className={styles.facts}>
        <Fact name="Outcome">
          <RunOutcome run={run} />
          {run.stored_from ? (
            <>
              {' '}
              of{' '}
              <Link className="text-link" to={pages.run(address, run.stored_from.id)}>
                run {run.stored_from.number}
              </Link>
            </>
          ) : null}
          {run.error ? <p className="text-muted-foreground">{run.error}</p> : null}
        </Fact>
        <Fact name="Who">{starterOf(run, session?.user.id)}</Fact>
        <Fact name="Model">{modelOf(run)}</Fact>
        {settings ? <Fact name="Settings">{settings}</Fact> : null}
        {run.prompt ? (
          <Fact name="Prompt">
            {run.prompt.name}, version {run.prompt.version}
          </Fact>
        ) : null}
        {question ? <Fact name="Question">{question}</Fact> : null}
        {scope ? <Fact name="Answer from">{scope}</Fact> : null}
        {retracted ? <Fact name="Retracted papers">{retracted}</Fact> : null}
        {turns ? <Fact name="Earlier questions">{turns}</Fact> : null}
        <Fact name={run.papers === 1 ? 'Paper' : 'Papers'}>
          <Papers run={run} address={address} />
        </Fact>
        <Fact name="Cost">{costInWords(run)}</Fact>
        {duration ? <Fact name="Duration">{duration}</Fact> : null}
        <Fact name="Version of the server">{run.code_version}</Fact>
      </dl>
      {run.prompt_text ? (
        <Fold summary="Text of the prompt">
          <p className={styles.promptText}>{run.prompt_text}</p>
        </Fold>
      ) : null}
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/**
 * The papers of a run (a recorded analysis or answer). The papers that it read are a collapsed list, because there can be very
 * many; the only paper of a run is a link.
 */
function Papers({ run, address }: { run: RunDetails; address: string }) {
  const papers = run.read_papers.map(({ id, title, text_version }) => (
    <span key={id}>
      {title === null ? (
        'A paper that was deleted or moved'
      ) : (
        <Link className="text-link" to={pages.document(address, id)}>
          {title}
        </Link>
      )}
      , text version {text_version}
    </span>
  ))
  if (papers.length === 0) return run.papers === 0 ? 'none' : papersInWords(run)
  if (run.papers === 1) return papers[0]
  return (
    <details className={styles.papers}>
      <summary>{papersInWords(run)}</summary>
      <ul>
        {papers.map((paper) => (
          <li key={paper.key}>{paper}</li>
        ))}
        {run.papers_read > papers.length ? <li>and {grouped(run.papers_read - papers.length)} more</li> : null}
      </ul>
    </details>
  )
}
