import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { documentTitle } from '#shared/contract/documents.ts'
import type { TrialResult } from '#shared/contract/prompts.ts'
import { grouped } from '#shared/text/numbers.ts'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldError } from '#web/ui/field.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { Select } from '#web/ui/select.tsx'
import { dollars } from '#web/usage/index.ts'
import styles from './prompts.module.css'
import { triableQuery, useTryPrompt } from './queries.ts'

/** Tries an unsaved prompt on one of the user's documents, and shows the result and its cost. The document does not change. */
export function TryPrompt({ prompt, model }: { prompt: string; model: string }) {
  const documents = useQuery(triableQuery)
  const trial = useTryPrompt()
  const [chosen, setChosen] = useState<string>()
  const isReady = chosen !== undefined && prompt.trim() !== '' && model !== ''
  const options = (documents.data ?? []).map((one) => ({ value: one.id, label: documentTitle(one) }))
  return (
    <section className="border-t-[1.5px] border-rule pt-4" aria-label="Try it on a document">
      <Field
        label="Try it on a document"
        hint={
          documents.data?.length === 0
            ? 'You have no document with text yet. Upload one and extract its text to try a prompt on it.'
            : 'The document is not changed. The trial counts as usage.'
        }
        error={documents.isError ? messageOf(documents.error) : undefined}
      >
        {(ids) => (
          <div className="flex gap-2">
            <Select
              {...ids}
              value={chosen}
              onChange={setChosen}
              options={options}
              placeholder="Choose a document"
              disabled={options.length === 0}
            />
            <Button
              disabled={!isReady || trial.isPending}
              onClick={() => chosen && trial.mutate({ document_id: chosen, prompt, model })}
            >
              {trial.isPending ? 'Trying...' : 'Try'}
            </Button>
          </div>
        )}
      </Field>
      <div aria-live="polite">
        {trial.isPending ? <Waiting>The model reads the paper...</Waiting> : null}
        {trial.isError ? <FieldError>{messageOf(trial.error)}</FieldError> : null}
        {trial.data && !trial.isPending ? <Trial trial={trial.data} /> : null}
      </div>
    </section>
  )
}

function Trial({ trial: { result, ...trial } }: { trial: TrialResult }) {
  const parts: [string, string | null][] = [
    ['Title', result.title],
    ['Summary', result.summary],
    ['Recommendations', result.recommendation],
    ['Evidence Level', result.level_of_evidence],
    ['Keywords', result.keywords.join(', ')],
    ['Social Post', result.social_post],
  ]
  return (
    <div className={styles.trial} tabIndex={0} role="region" aria-label="Result of the trial">
      <p className="text-muted-foreground text-meta tabular-nums lining-nums">
        <b>{dollars(trial.cost_usd)}</b> · {grouped(trial.tokens_in)} tokens sent, {grouped(trial.tokens_out)} received
        · {(trial.milliseconds / 1000).toFixed(1)} s · {trial.model} · {trial.found} of {trial.statements} statements
        found in the text
      </p>
      <dl>
        {parts.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
        {result.insights.length > 0 ? (
          <div>
            <dt>Insights</dt>
            <dd>
              <ol>
                {result.insights.map((insight) => (
                  <li key={insight}>{insight}</li>
                ))}
              </ol>
            </dd>
          </div>
        ) : null}
      </dl>
    </div>
  )
}
