import { FailedTry } from '#server/fetch/retry.ts'
import { AppError } from '#server/lib/errors.ts'
import { createThoughtFilter, readChatStream } from './chat-stream.ts'
import type { AiContext } from './context.ts'
import { learnWindow } from './context-window.ts'
import { notUnderstood, readFailure, stoppedAtLimit, stoppedByFilter } from './failure.ts'
import { type Features, featuresOf, learnFromRefusal } from './features.ts'
import { passGate } from './gate.ts'
import { callProvider, describeBreak } from './provider-call.ts'
import { recordCall } from './record.ts'
import { withProviderRetries } from './retry.ts'

/** A request to a chat model of the provider. */
export interface ChatRequest {
  model: string
  instructions: string
  prompt: string
  /** A PNG that is sent with the prompt. */
  image?: Uint8Array
  /** Requests JSON of this JSON Schema, as far as the server supports it. */
  schema?: { name: string; schema: object }
}

/**
 * Returns the whole reply of the model. A failed try is repeated from the beginning, because nothing of the reply has been
 * shown. Throws an AppError, or the reason of `ctx.signal`.
 */
export async function completeChat(request: ChatRequest, ctx: AiContext): Promise<string> {
  const end = await passGate(plan(request), ctx)
  return withProviderRetries(async () => {
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
 * Yields the reply as it arrives. The call is retried only until the first piece arrives. A stream that breaks off later
 * throws, so that an incomplete answer never looks complete. Throws an AppError, or the reason of `ctx.signal`.
 */
export async function* streamChat(request: ChatRequest, ctx: AiContext): AsyncGenerator<string> {
  const end = await passGate(plan(request), ctx)
  let pieces: AsyncGenerator<string> | undefined
  try {
    const first = await withProviderRetries(() => (pieces = tryWithKnownFeatures(request, ctx)).next(), ctx.signal)
    if (!first.done) yield first.value
    if (pieces) yield* pieces
  } catch (error) {
    throw error instanceof FailedTry ? error.failure.error : error
  } finally {
    await pieces?.return(undefined)
    end()
  }
}

/** Makes one try of a request. If the server refuses an optional parameter by its name, repeats the try at once without it. */
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
  const startedAt = performance.now()
  let received = 0
  let usage: { tokensIn?: number | undefined; tokensOut?: number | undefined } = {}
  let error: string | null = 'aborted'
  try {
    const body = chatBody(request, featuresOf(request.model))
    const { model } = request
    const response = await callProvider({ path: '/chat/completions', body, model, signal: ctx.signal })
    const withoutThoughts = createThoughtFilter()
    let finish: string | undefined
    let isRefusal = false
    for await (const part of response.body ? readChatStream(response.body, model) : []) {
      received += part.text.length
      const text = withoutThoughts(part.text)
      if (text) yield text
      usage = part.usage ?? usage
      finish = part.finish ?? finish
      isRefusal ||= part.isRefusal
    }
    if (finish === undefined) throw endedEarly(response)
    const last = withoutThoughts('', true)
    if (last) yield last
    if (finish === 'length') throw stoppedAtLimit()
    if (finish === 'content_filter' || isRefusal) throw stoppedByFilter()
    refuseCutPrompt(request, usage.tokensIn)
    ctx.signal?.throwIfAborted()
    error = null
  } catch (thrown) {
    ctx.signal?.throwIfAborted()
    error = 'internal'
    const failure = readFailure(thrown)
    error = failure.error.code
    throw new FailedTry(failure)
  } finally {
    const sent = request.instructions.length + request.prompt.length
    await recordCall({ model: request.model, ctx, startedAt, sent, received, ...usage, error })
  }
}

/** Returns the error for a reply that ends without its final event. */
const endedEarly = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/event-stream') ? describeBreak('broken_off') : notUnderstood()

/** Returns the body of the request, with the parameters that the server is known to support. */
function chatBody(request: ChatRequest, { format, temperature, usageInStream }: Features) {
  return {
    model: request.model,
    messages: [
      { role: 'system', content: request.instructions },
      { role: 'user', content: messageContent(request) },
    ],
    stream: true,
    ...(usageInStream ? { stream_options: { include_usage: true } } : {}),
    ...(temperature ? { temperature: 0 } : {}),
    ...responseFormat(request, format),
  }
}

/** Maximum number of characters per token in prose. A prompt with more was not read completely (see refuseCutPrompt). */
const MOST_CHARACTERS_PER_TOKEN = 7
const LONG_PROMPT = 8000

/**
 * Throws if the server read only a part of a long prompt. Ollama and other servers silently truncate a prompt to the context
 * window of the model, which only the number of read tokens shows.
 */
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
  const url = `data:image/png;base64,${Buffer.from(image).toString('base64')}`
  return [
    { type: 'text', text: prompt },
    { type: 'image_url', image_url: { url } },
  ]
}

function responseFormat({ schema }: ChatRequest, format: Features['format']) {
  if (!schema || format === 'none') return {}
  if (format === 'json') return { response_format: { type: 'json_object' } }
  return {
    response_format: { type: 'json_schema', json_schema: { name: schema.name, strict: true, schema: schema.schema } },
  }
}
