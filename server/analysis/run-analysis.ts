import { type AiCall, analyzeText, chooseModel, modelSettings, sumCalls } from '#server/ai/index.ts'
import type { Actor } from '#server/db/actor.ts'
import type { Tx } from '#server/db/client.ts'
import type { StoredDocument } from '#server/documents/index.ts'
import { publicMessage } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import type { PromptToUse } from '#server/prompts/index.ts'
import { wasCancelled } from '#server/queue/queue.ts'
import {
  endRun,
  findStoredOutput,
  finishRun,
  hashText,
  type RunOrigin,
  type RunOutcome,
  type RunRequest,
  startRun,
} from '#server/runs/index.ts'
import type { Analysis } from '#shared/contract/analysis.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import type { Passage } from '#shared/contract/passages.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { shortAuthors, shortAuthorsOf } from '#shared/references/short-authors.ts'
import { analysisValuesOf } from './analysis-values.ts'
import { paperOf } from './paper.ts'

/** An analysis, and its run: the stored record of its input and output in the project. */
interface RecordedAnalysis {
  analysis: Analysis
  /** The id of the run (the record of the analysis in the project); null for a paper without a project, which has no runs. */
  runId: string | null
  /** True if the stored output of an earlier analysis with the same input was used and the model was not called. */
  cached: boolean
  /**
   * Stores the outcome of the analysis in its run (the record in the project), in the transaction that stores the values in the
   * document.
   */
  end: (tx: Tx, passages: readonly Passage[]) => Promise<void>
  /** Stores that the analysis failed or was stopped. Does nothing if its run (the record in the project) has already ended. */
  fail: (error: unknown) => Promise<void>
}

interface Options {
  /**
   * Calls the model even if the output of an earlier analysis with the same input is stored. Ignored for the built-in model,
   * whose output is always the same.
   */
  again: boolean
  origin: RunOrigin | undefined
  signal: AbortSignal | undefined
}

/**
 * Analyzes a paper and records the analysis as a run (a stored call of a model) of the project. If the project has a run with
 * the same input and `again` is false, uses its stored output instead of calling the model. A failed call is also recorded. The
 * caller must call `end` or `fail` of the result.
 */
export async function runAnalysis(
  actor: Actor,
  document: StoredDocument,
  text: string,
  prompt: PromptToUse,
  { again, origin, signal }: Options,
): Promise<RecordedAnalysis> {
  const paper = paperOf(text, document, prompt)
  const model = await chooseModel(paper.model)
  const calls: AiCall[] = []
  const analyze = () =>
    analyzeText(
      { ...paper, model },
      {
        userId: actor.userId,
        purpose: 'analysis',
        documentId: document.id,
        ...(signal ? { signal } : {}),
        onCall: (call) => calls.push(call),
      },
    )
  if (document.project_id === null)
    return { analysis: await analyze(), runId: null, cached: false, end: async () => {}, fail: async () => {} }

  const request: RunRequest = {
    projectId: document.project_id,
    kind: 'analysis',
    model,
    model_settings: modelSettings(model),
    prompt_text: prompt.prompt,
    input: {
      documents: [{ id: document.id, text_version: document.text_version }],
      // The version of the text counts neither changes of an abstract nor those of the file's metadata.
      options: { read: hashText(JSON.stringify([text, paper.metadata, paper.firstPage])) },
    },
  }
  const stored = again && model !== BUILT_IN_MODEL.id ? null : await findStoredOutput(actor, request)
  const run = await startRun(actor, request, {
    title: documentTitle(document),
    prompt_version_id: prompt.version_id,
    ...(origin ? { origin } : {}),
  })
  const fail = async (error: unknown) => {
    try {
      await finishRun(run.id, outcomeOfFailure(error, signal, calls))
    } catch (failure) {
      log.error({ err: failure, run: run.id }, 'the failure of a run could not be stored')
    }
  }
  try {
    const analysis = stored ? (stored.output as Analysis) : await analyze()
    const end = (tx: Tx, passages: readonly Passage[]) => {
      const values = analysisValuesOf(document, shortFormOf(document, analysis), analysis, passages)
      const outcome: RunOutcome = stored
        ? { status: 'completed', stored }
        : { status: 'completed', output: analysis, values, ...sumCalls(calls) }
      return endRun(tx, run.id, outcome)
    }
    return { analysis, runId: run.id, cached: stored !== null, end, fail }
  } catch (error) {
    await fail(error)
    throw error
  }
}

function outcomeOfFailure(error: unknown, signal: AbortSignal | undefined, calls: readonly AiCall[]): RunOutcome {
  const costs = sumCalls(calls)
  if (!signal?.aborted) return { status: 'failed', error: publicMessage(error), ...costs }
  if (wasCancelled(signal)) return { status: 'stopped', ...costs }
  return { status: 'failed', error: 'The analysis was interrupted.', ...costs }
}

/**
 * Returns the short citation of a paper, such as 'Bee et al. 2024': the authors and the year that the analysis found, or those
 * of the document if it found none. Returns null without authors.
 */
function shortFormOf({ reference, authors, ref_year }: StoredDocument, { result }: Analysis): string | null {
  const found = result.authors.length > 0 ? shortAuthors(result.authors) : shortAuthorsOf(reference, authors)
  if (found === '') return null
  return [found, result.publication_date?.slice(0, 4) ?? ref_year].filter(Boolean).join(' ')
}
