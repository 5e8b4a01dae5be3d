import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '#server/lib/version.ts'
import { EVALUATIONS_FOLDER, evaluation, type Evaluation } from '#shared/contract/evaluations.ts'
import { api } from '#shared/contract/paths.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import type { SystemStatus } from '#shared/contract/system.ts'
import type { UsageOverview } from '#shared/contract/usage.ts'
import { signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { askPaper, PLACES, within, type Outcome } from './ask-paper.ts'
import { CallError, readOptions, type EvaluateOptions, type Provider } from './evaluate-options.ts'
import { printTable } from './evaluate-table.ts'
import { paperPath, readQuestionSets, type QuestionSet } from './question-sets.ts'
import { median } from './report.ts'

/**
 * This file is `npm run evaluate` (bin/evaluate.mjs). It asks questions about invented papers with the models of a provider, on
 * a server with an empty data folder. It first measures the built-in models with the same questions, unless a result of the
 * current version is stored. It prints a table and stores one result file per model. A run that does not complete stores
 * nothing.
 */

const PROGRESS_EVERY = 10
const REACH_MS = 15_000

let server: TestServer | null = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    console.error('Stopped. The result of the stopped run is not stored.')
    void Promise.resolve(server?.stop()).finally(() => process.exit(130))
  })

try {
  // This import throws if a setting is wrong.
  const { env } = await import('#server/lib/env.ts')
  const options = readOptions(process.argv.slice(2), process.env)
  const sets = chosenSets(options)
  const folder = join(env.DATA_DIR, EVALUATIONS_FOLDER)
  const known = options.provider ? storedBuiltIn(folder, options) : null
  const results = [known ?? (await measured(null, sets, options, folder))]
  if (options.provider) results.push(await measured(options.provider, sets, options, folder))
  printTable(results)
  console.log(`\nStored in ${folder}. Dashboard, System shows the results.`)
  process.exit(0)
} catch (error) {
  console.error(messageOf(error))
  process.exit(1)
}

/** Measures the models of a provider (null: the built-in models) with these questions, and stores the result in `folder`. */
async function measured(
  provider: Provider | null,
  sets: readonly QuestionSet[],
  options: EvaluateOptions,
  folder: string,
): Promise<Evaluation> {
  const name = provider?.model ?? BUILT_IN_MODEL.name
  const count = sets.reduce((sum, { questions }) => sum + questions.length, 0)
  console.error(`${name}: ${count} questions on ${sets.length} papers`)
  if (provider) await reach(provider)
  const began = performance.now()
  server = await startServer({ env: settingsOf(provider) })
  try {
    const client = await signUp(server.url)
    const { data: project } = await client.json<{ data: { id: string } }>(api.projects(), {
      body: { name: 'Questions' },
    })
    const outcomes: Outcome[] = []
    let answered = 0
    const onAnswer = () => {
      answered += 1
      if (answered % PROGRESS_EVERY === 0 || answered === count) console.error(`  ${answered} of ${count} answered`)
    }
    for (const [at, set] of sets.entries()) {
      console.error(`  paper ${at + 1} of ${sets.length}: ${set.paper}`)
      outcomes.push(...(await askPaper(client, project.id, set, paperPath(set.paper)!, onAnswer)))
    }
    const seconds = (performance.now() - began) / 1000
    const { data: usage } = await client.json<{ data: UsageOverview }>(api.adminUsage())
    const { data: status } = await client.json<{ data: SystemStatus }>(api.adminSystemStatus())
    const result: Evaluation = {
      model: provider?.model ?? BUILT_IN_MODEL.id,
      embedding_model: status.vectors.model,
      provider: provider && new URL(provider.baseUrl).host,
      measured_at: new Date().toISOString(),
      version,
      half: options.half,
      ...sharesOf(outcomes),
      ...costsOf(usage),
      seconds: rounded(seconds),
    }
    await store(folder, fileName(provider, options), result)
    return result
  } finally {
    await server.stop()
    server = null
  }
}

/**
 * Throws if the address of the provider does not respond. Without this check, a job would repeat its failed call for a minute.
 */
async function reach({ baseUrl }: Provider): Promise<void> {
  try {
    await (await fetch(baseUrl, { signal: AbortSignal.timeout(REACH_MS) })).body?.cancel()
  } catch {
    throw new CallError(`${new URL(baseUrl).host} cannot be reached. Check --base-url.`)
  }
}

function settingsOf(provider: Provider | null): Record<string, string> {
  if (!provider) return {}
  return {
    AI_BASE_URL: provider.baseUrl,
    AI_CHAT_MODEL: provider.model,
    ...(provider.embeddingModel ? { AI_EMBEDDING_MODEL: provider.embeddingModel } : {}),
    ...(provider.key ? { AI_API_KEY: provider.key } : {}),
  }
}

/**
 * Returns the question sets of the invented papers of the chosen half, reduced to `limit` questions that are evenly spread over
 * papers and kinds.
 */
function chosenSets({ half, limit }: EvaluateOptions): QuestionSet[] {
  const sets = readQuestionSets().filter((set) => set.origin === 'invented' && (half === 'all' || set.half === half))
  const all = sets.flatMap(({ questions }) => questions)
  const wanted = Math.min(limit ?? all.length, all.length)
  const chosen = new Set(Array.from({ length: wanted }, (_, at) => all[Math.floor((at * all.length) / wanted)]!.id))
  const absent = sets.find(({ paper }) => paperPath(paper) === null)
  if (absent)
    throw new CallError(
      `The paper ${absent.paper}.pdf does not exist in tests/fixtures. Run the command in a whole checkout.`,
    )
  return sets
    .map((set) => ({ ...set, questions: set.questions.filter(({ id }) => chosen.has(id)) }))
    .filter(({ questions }) => questions.length > 0)
}

function sharesOf(outcomes: readonly Outcome[]) {
  const answerable = outcomes.filter(({ question }) => question.kind !== 'unanswerable')
  const unanswerable = outcomes.filter(({ question }) => question.kind === 'unanswerable')
  const known = answerable.filter(({ hasGold }) => hasGold !== null)
  const sum = (field: 'sentences' | 'sentencesFound') => outcomes.reduce((total, one) => total + one[field], 0)
  return {
    questions: outcomes.length,
    unanswerable: unanswerable.length,
    hit_at_3: answerable.length === 0 ? null : rounded(within(answerable, PLACES)),
    gold_answers: share(known, ({ hasGold }) => hasGold === true),
    refused: share(unanswerable, ({ refused }) => refused),
    wrongly_refused: share(answerable, ({ refused }) => refused),
    sentences: sum('sentences'),
    sentences_found: sum('sentencesFound'),
    seconds_per_answer: rounded(median(outcomes.map(({ seconds }) => seconds))),
  }
}

function share(outcomes: readonly Outcome[], holds: (outcome: Outcome) => boolean): number | null {
  return outcomes.length === 0 ? null : rounded(outcomes.filter(holds).length / outcomes.length)
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

/**
 * Returns the tokens and the cost in USD of the provider's models, without the built-in models, which are free. The cost is
 * null if a price is only a default price.
 */
function costsOf({ models }: UsageOverview) {
  const paid = models.filter(({ price }) => price.source !== 'free')
  const sum = (field: 'tokens_in' | 'tokens_out' | 'cost_usd') => paid.reduce((total, one) => total + one[field], 0)
  return {
    tokens_in: sum('tokens_in'),
    tokens_out: sum('tokens_out'),
    cost_usd: paid.some(({ price }) => price.source === 'default') ? null : sum('cost_usd'),
  }
}

/**
 * Returns the file name of a result. It depends on the models and the questions, so a later run with the same ones replaces the
 * file.
 */
function fileName(provider: Provider | null, { half, limit }: EvaluateOptions): string {
  const what = [provider?.baseUrl, provider?.model, provider?.embeddingModel, half, limit ?? 'all'].join('\n')
  const readable = (provider?.model ?? BUILT_IN_MODEL.id).replaceAll(/[^\w.-]+/g, '-').slice(0, 60)
  return `${readable}-${createHash('sha256').update(what).digest('hex').slice(0, 8)}.json`
}

/**
 * Returns the stored result of the built-in models for these questions, or null if there is none from the current version of
 * Lectern.
 */
function storedBuiltIn(folder: string, options: EvaluateOptions): Evaluation | null {
  const file = join(folder, fileName(null, options))
  if (!existsSync(file)) return null
  const { data } = evaluation.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  return data?.version === version ? data : null
}

async function store(folder: string, name: string, result: Evaluation): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, name)
  await writeFile(`${file}.partial`, `${JSON.stringify(evaluation.parse(result), null, 2)}\n`)
  await rename(`${file}.partial`, file)
}

/** Returns the text to print for an error. If the error is an error response of the server, this is the message in its body. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'CallError' || error.name === 'SettingError') return error.message
  const message = /answered \d+: \{"error":.*?"message":("(?:[^"\\]|\\.)*")/.exec(error.message)?.[1]
  // The message of a failed job begins with the path of the call.
  const words = message ? (JSON.parse(message) as string) : error.message.replace(/^\/api\/\S+: /, '')
  return `The evaluation stopped, and its result is not stored: ${words}\nThe command sets AI_BASE_URL from --base-url and AI_API_KEY from the variable that --key-env names.`
}
