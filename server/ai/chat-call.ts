import { extractReasoningMiddleware, streamText, wrapLanguageModel } from 'ai'
import type { JSONValue } from 'ai'
import { AppError } from '#server/lib/errors.ts'
import type { AiContext } from './context.ts'
import { learnWindow } from './context-window.ts'
import { FailedTry, permanentFailure, readFailure } from './failure.ts'
import { featuresOf, learnFromRefusal } from './features.ts'
import { passGate } from './gate.ts'
import { openProvider } from './provider.ts'
import { openCall } from './provider-call.ts'
import { recordCall } from './record.ts'
import { withRetries } from './retry.ts'

/** A request to a chat model of the provider. */
export interface ChatRequest {
  model: string
  instructions: string
  prompt: string
  /** A PNG that is sent with the prompt. */
  image?: Uint8Array
  /** Requests JSON of this JSON Schema, as far as the server supports it. */
  schema?: { name: string; schema: JSONValue }
}

/**
 * Returns the whole reply. No part of it has been shown, so every retry starts over. Throws an AppError; when
 * `ctx.signal` fires, its reason.
 */
export async function completeChat(request: ChatRequest, ctx: AiContext): Promise<string> {
  const end = await passGate(plan(request), ctx)
  return withRetries(async () => {
    let text = ''
    for await (const piece of tryWithKnownFeatures(request, ctx)) text += piece
    return text
  }, ctx.signal).finally(end)
}

const plan = ({ model, instructions, prompt }: ChatRequest) => ({
  model,
  characters: instructions.length + prompt.length,
  answers: true,
})

/**
 * Yields the reply as it arrives. Retried only until the first piece; a stream that breaks off later throws, so that
 * half an answer never looks complete.
 */
export async function* streamChat(request: ChatRequest, ctx: AiContext): AsyncGenerator<string> {
  const end = await passGate(plan(request), ctx)
  let pieces: AsyncGenerator<string> | undefined
  try {
    const first = await withRetries(() => (pieces = tryWithKnownFeatures(request, ctx)).next(), ctx.signal)
    if (!first.done) yield first.value
    if (pieces) yield* pieces
  } catch (error) {
    throw error instanceof FailedTry ? error.failure.error : error
  } finally {
    await pieces?.return(undefined)
    end()
  }
}

/** Makes one try, repeated at once when the server refuses an optional parameter by name. */
async function* tryWithKnownFeatures(request: ChatRequest, ctx: AiContext): AsyncGenerator<string> {
  for (;;) {
    try {
      yield* tryOnce(request, ctx)
      return
    } catch (error) {
      const refusal = error instanceof FailedTry ? error.failure.refusal : undefined
      if (!refusal || !learnFromRefusal(request.model, refusal, { format: request.schema !== undefined })) throw error
    }
  }
}

async function* tryOnce(request: ChatRequest, ctx: AiContext): AsyncGenerator<string> {
  ctx.signal?.throwIfAborted()
  const features = featuresOf(request.model)
  const call = openCall(ctx.signal)
  const startedAt = performance.now()
  let received = 0
  let usage: { inputTokens?: number | undefined; outputTokens?: number | undefined } = {}
  let error: string | null = 'aborted'
  try {
    const model = openProvider({ fetch: call.fetch, usageInStream: features.usageInStream }).chatModel(request.model)
    const { stream } = streamText({
      // Local reasoning models put their thoughts into the reply between <think> tags.
      model: wrapLanguageModel({ model, middleware: extractReasoningMiddleware({ tagName: 'think' }) }),
      instructions: request.instructions,
      messages: [{ role: 'user', content: messageContent(request) }],
      abortSignal: call.signal,
      maxRetries: 0,
      ...(features.temperature ? { temperature: 0 } : {}),
      providerOptions: { provider: responseFormat(request, features.format) },
      onError: () => {}, // the error part below is the one that is handled; the default prints the request
    })
    for await (const part of stream) {
      if (part.type === 'text-delta' && part.text) {
        received += part.text.length
        yield part.text
      } else if (part.type === 'reasoning-delta') received += part.text.length
      else if (part.type === 'finish') {
        usage = part.totalUsage
        if (part.finishReason === 'length')
          throw permanentFailure('The model stopped at its length limit before it was finished.')
        if (part.finishReason === 'content-filter')
          throw new AppError('refused', "The AI provider's filter stopped the answer.")
        refuseCutPrompt(request, usage.inputTokens)
      } else if (part.type === 'error') throw part.error
    }
    ctx.signal?.throwIfAborted()
    const cut = call.failure()
    if (cut) throw cut
    error = null
  } catch (thrown) {
    ctx.signal?.throwIfAborted()
    const failure = readFailure(thrown, call, request.model)
    error = failure.error.code
    throw new FailedTry(failure)
  } finally {
    call.close()
    await recordCall({
      model: request.model,
      ctx,
      startedAt,
      sent: request.instructions.length + request.prompt.length,
      received,
      tokensIn: usage.inputTokens,
      tokensOut: usage.outputTokens,
      error,
    })
  }
}

/** Upper bound for prose. */
const MOST_CHARACTERS_PER_TOKEN = 7
const LONG_PROMPT = 8000

/** Ollama and others silently truncate a prompt to their window: only the token count shows it. */
function refuseCutPrompt({ model, prompt }: ChatRequest, tokensRead: number | undefined): void {
  if (!tokensRead || prompt.length < LONG_PROMPT || prompt.length / MOST_CHARACTERS_PER_TOKEN <= tokensRead) return
  learnWindow(model, tokensRead)
  throw new AppError(
    'refused',
    `Request too large: the server of the model read only ${tokensRead} tokens of it. Raise its context window.`,
  )
}

function messageContent({ prompt, image }: ChatRequest) {
  if (!image) return prompt
  return [
    { type: 'text' as const, text: prompt },
    { type: 'file' as const, mediaType: 'image/png', data: image },
  ]
}

/**
 * Returns the protocol's `response_format`. Built here, because the supported formats are known only after refusals.
 */
function responseFormat({ schema }: ChatRequest, format: 'schema' | 'json' | 'none'): Record<string, JSONValue> {
  if (!schema || format === 'none') return {}
  if (format === 'json') return { response_format: { type: 'json_object' } }
  return {
    response_format: { type: 'json_schema', json_schema: { name: schema.name, strict: true, schema: schema.schema } },
  }
}
