import { BUILT_IN_MODEL, modelName } from '#shared/contract/prompts.ts'
import { answerScope } from '#shared/contract/conversations.ts'
import type { Run, RunDetails } from '#shared/contract/runs.ts'
import { grouped } from '#shared/text/numbers.ts'
import { counted } from '#web/lib/dates.ts'
import { scopeWords } from '#web/lib/scope-words.ts'
import { dollars } from '#web/usage/index.ts'

/**
 * Returns who started a run (a recorded analysis or answer). For a run that was started with an API key, it is 'API key …' with
 * the name of the key, or 'Assistant with …' if an AI assistant used the key. Otherwise it is 'You' for the user with the id
 * `userId`, the name of another user, or 'Deleted account'.
 */
export function starterOf({ created_by, key_name, via }: Run, userId: string | undefined): string {
  if (key_name !== null) return via === 'mcp' ? `Assistant with ${key_name}` : `API key ${key_name}`
  if (created_by === null) return 'Deleted account'
  return created_by.id === userId ? 'You' : created_by.name
}

/**
 * Returns the number of papers of a run (a recorded analysis or answer): '1 paper', or '200 papers, 17 read' if the model
 * received the text of fewer papers than the scope contains.
 */
export function papersInWords({ papers, papers_read }: Pick<Run, 'papers' | 'papers_read'>): string {
  const read = papers_read === 0 ? 'none' : grouped(papers_read)
  return `${counted(papers, 'paper')}${papers_read < papers ? `, ${read} read` : ''}`
}

/** Returns the cost of a run (a recorded analysis or answer) in US dollars, or a dash if it cost nothing. */
export const costOf = ({ cost_usd }: Pick<Run, 'cost_usd'>): string => (cost_usd > 0 ? dollars(cost_usd) : '—')

/**
 * Returns the cost and the number of tokens of a run (a recorded analysis or answer): '$0.12, 3,400 tokens', 'none, 3,400
 * tokens' if it cost nothing, or 'none'.
 */
export function costInWords({ cost_usd, tokens_in, tokens_out }: Run): string {
  const tokens = counted(tokens_in + tokens_out, 'token')
  return cost_usd > 0 ? `${dollars(cost_usd)}, ${tokens}` : tokens_in + tokens_out > 0 ? `none, ${tokens}` : 'none'
}

/**
 * Returns the options of an answer over a project in words. `scope`: the papers to answer from. `retracted`: whether retracted
 * papers were left out. `turns`: the number of earlier questions in the conversation. An option is null if the run does not
 * have it; runs of analyses have none of them.
 */
export function optionsInWords(options: RunDetails['input']['options']) {
  const scope = answerScope.safeParse(options['scope']).data
  const leftOut = options['leave_out_retracted']
  const earlier = options['earlier_questions']
  return {
    scope: scope ? scopeWords(scope, 0) : null,
    retracted: typeof leftOut === 'boolean' ? (leftOut ? 'left out' : 'included') : null,
    turns: typeof earlier === 'number' ? (earlier === 0 ? 'none' : grouped(earlier)) : null,
  }
}

/**
 * Returns the settings of a model in words: 'provider api.example.org, temperature 0, support of sentences checked'. Returns ''
 * for the built-in model, which has none.
 */
export function settingsInWords({ verify, ...settings }: RunDetails['model_settings']): string {
  if (settings['provider'] === BUILT_IN_MODEL.id) return ''
  const words = Object.entries(settings).map(([name, value]) => `${name} ${String(value)}`)
  if (typeof verify === 'boolean') words.push(`support of sentences ${verify ? 'checked' : 'not checked'}`)
  return words.join(', ')
}

/** Returns the display name of the model of a run (a recorded analysis or answer). */
export const modelOf = ({ model }: Pick<Run, 'model'>): string => modelName(model)

/**
 * Returns the duration of a run (a recorded analysis or answer): 'under a second', '14 s' or '2 min 5 s'; null while it is
 * running.
 */
export function durationOf({ started_at, ended_at }: Pick<Run, 'started_at' | 'ended_at'>): string | null {
  if (ended_at === null) return null
  const seconds = Math.max(0, Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1000))
  if (seconds < 1) return 'under a second'
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
