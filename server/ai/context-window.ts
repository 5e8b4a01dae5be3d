import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { defaultModelNow, knownWindow, namedModel } from './models.ts'

const DEFAULT_WINDOW = 128_000
/**
 * Number of tokens of the context window that a prompt must leave free for the instructions and the reply, but at most
 * LONGEST_RESERVE_SHARE of the window.
 */
const RESERVED_TOKENS = 6_000
const LONGEST_RESERVE_SHARE = 0.25
/** Characters per token for estimates. English prose has about 4.5; tables, formulas and references have fewer. */
const CHARACTERS_PER_TOKEN = 3.5

/** Context windows in tokens, by the start of the model's name. The first match counts. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o|^gpt-4-turbo|^chatgpt-4o/, 128_000],
  [/^gpt-4/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/^gpt-oss/, 131_072],
  [/^o[134](-|$)/, 200_000],
  [/^gemini-(1\.5|2|3)/, 1_048_576],
  [/^llama-?3\.[123]|^llama3\.[123]/, 131_072],
  [/^llama-?3|^llama3/, 8_192],
  [/^llama-?2|^llama2/, 4_096],
  [/^gemma-?2|^gemma2/, 8_192],
  [/^mixtral|^mistral-7b|^mistral:/, 32_768],
  [/^qwen2\.5/, 32_768],
  [/^qwen3/, 40_960],
  [/^phi-?3|^phi-?4|^phi4/, 16_384],
]

/**
 * Estimates the number of tokens of a text, or of a text with the given number of characters. The estimate is rather too high
 * than too low. A Chinese, Japanese or Korean character counts as one token.
 */
export function estimateTokens(text: string | number): number {
  if (typeof text === 'number') return Math.ceil(text / CHARACTERS_PER_TOKEN)
  const wide = text.match(/[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]/g)?.length ?? 0
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN) + wide
}

/**
 * The context windows that servers have shown to be smaller than assumed, in tokens, by model. An entry is valid until `until`
 * (a value of performance.now()), because an operator can enlarge a window.
 */
const learned = new Map<string, { window: number; until: number }>()
const LEARNED_MS = 10 * 60_000

/**
 * Records that the context window of a model is smaller than assumed: a server has read only `tokensRead` tokens of a longer
 * prompt. The value is used for 10 minutes.
 */
export function learnWindow(model: string, tokensRead: number): void {
  learned.set(model, { window: tokensRead, until: performance.now() + LEARNED_MS })
}

/**
 * Returns the context window of a model in tokens. Uses the first known value of these: the number of tokens at which the
 * server of the model truncated a longer prompt in the last 10 minutes, the value in the provider's model list, the value in
 * the table WINDOWS, or else 128,000.
 */
export function contextWindow(model: string): number {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  const found = learned.get(model)
  if (found && found.until > performance.now()) return found.window
  return knownWindow(model) ?? WINDOWS.find(([start]) => start.test(name))?.[1] ?? DEFAULT_WINDOW
}

/**
 * Returns whether the text, with space for the instructions and the reply, fits into the context window of the model. `model`
 * null means the default model. The built-in model accepts any length.
 */
export function fitsContext(text: string, model?: string | null): boolean {
  const name = namedModel(model) ?? defaultModelNow()
  if (name === BUILT_IN_MODEL.id) return true
  const window = contextWindow(name)
  return estimateTokens(text) <= window - Math.min(RESERVED_TOKENS, window * LONGEST_RESERVE_SHARE)
}
