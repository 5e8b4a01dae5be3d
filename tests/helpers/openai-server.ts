import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exampleAnalysis, exampleAnswer, hashedEmbedding } from './openai-replies.ts'

/** The behavior of the server for one request. */
export type Mode =
  /** Succeeds. With `after`, responds only when that promise has resolved. */
  | { kind: 'ok'; content?: string; finish?: string; usage?: boolean; tokensRead?: number; after?: Promise<void> }
  /** Responds with an error. With `after`, responds only when that promise has resolved. */
  | {
      kind: 'status'
      status: number
      message?: string
      code?: string
      headers?: Record<string, string>
      after?: Promise<void>
    }
  /** Responds with status 400 and the code context_length_exceeded, as OpenAI does for a prompt that is too long. */
  | { kind: 'too-long' }
  /** Responds with status 200 and an HTML page instead of JSON. */
  | { kind: 'garbage' }
  /** Responds with status 200 and truncated JSON. A streamed response contains it in an event; with `whole`, it is the body. */
  | { kind: 'broken-json'; whole?: boolean }
  /** Sends `content` as the beginning of a reply, then closes the connection. */
  | { kind: 'break-off'; content: string }
  /** Sends `content` one character at a time, every `everyMs` milliseconds. */
  | { kind: 'drip'; content: string; everyMs: number }
  /** Responds with status 200, streams `content`, then sends `error` as an event of the stream. */
  | { kind: 'error-event'; content: string; error: { message: string; code?: string | number } }
  /** Sends `content`, if any, then nothing, and leaves the connection open. */
  | { kind: 'hang'; content?: string }
  /** Responds with status 400 to requests with this parameter. `only`: refuses only a `response_format` of this type. */
  | { kind: 'refuses'; parameter: 'response_format' | 'stream_options' | 'temperature'; only?: string }
  | { kind: 'redirect'; to: string; status?: number }
  /** Returns embeddings whose vectors are empty. */
  | { kind: 'empty' }

/** A received request. */
export interface SeenRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: ChatBody
}

interface ChatBody {
  model?: string
  stream?: boolean
  temperature?: number
  stream_options?: unknown
  response_format?: { type: string; json_schema?: { name: string; schema: Record<string, unknown> } }
  messages?: { role: string; content: string | { type: string; text?: string; image_url?: { url: string } }[] }[]
  input?: string | string[]
}

export type Endpoint = 'models' | 'chat' | 'embeddings'

/** A server on loopback with the protocol of OpenAI. It can simulate the failures of an AI provider. */
export interface OpenAiServer {
  /** The address of the API, for the setting AI_BASE_URL of a server under test. */
  url: string
  requests: SeenRequest[]
  /**
   * Sets the behavior of the next requests to an endpoint: one mode for each request. Requests after these follow `always`, or
   * succeed.
   */
  next: (endpoint: Endpoint, ...modes: Mode[]) => void
  /** Sets the behavior of all requests to an endpoint until `reset`. */
  always: (endpoint: Endpoint, mode: Mode) => void
  reset: () => void
  stop: () => Promise<void>
}

/** Starts the server on a free port. With `key`, it refuses requests without this API key. `models`: its models. */
export async function startOpenAiServer(
  options: { key?: string; models?: Record<string, unknown>[] } = {},
): Promise<OpenAiServer> {
  const models = options.models ?? [{ id: 'text-embedding-test' }, { id: 'test-chat' }, { id: 'test-vision' }]
  const queues: Record<Endpoint, Mode[]> = { models: [], chat: [], embeddings: [] }
  const standing: Partial<Record<Endpoint, Mode>> = {}
  const requests: SeenRequest[] = []

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const text = await readAll(request)
    const body = (text ? JSON.parse(text) : {}) as ChatBody
    requests.push({ method: request.method ?? '', path, headers: request.headers, body })
    const endpoint = ENDPOINTS[path]
    if (!endpoint) return refuse(response, { status: 404, message: `Unknown request URL: ${path}` })
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`)
      return refuse(response, {
        status: 401,
        message: `Incorrect API key provided: ${request.headers.authorization ?? ''}`,
        code: 'invalid_api_key',
      })
    const mode = queues[endpoint].shift() ?? standing[endpoint] ?? { kind: 'ok' }
    if (mode.kind === 'redirect') return void response.writeHead(mode.status ?? 307, { location: mode.to }).end()
    if (mode.kind === 'garbage')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>A proxy says hello</html>')
    if (mode.kind === 'broken-json') return sendBrokenJson(response, !mode.whole && body.stream === true)
    if (mode.kind === 'too-long')
      return refuse(response, {
        status: 400,
        message: "This model's maximum context length is 8192 tokens.",
        code: 'context_length_exceeded',
      })
    if (mode.kind === 'status' || mode.kind === 'ok') await mode.after
    if (mode.kind === 'status') return refuse(response, mode)
    if (mode.kind === 'refuses' && refuses(mode, body))
      return refuse(response, {
        status: 400,
        message: `Unsupported parameter: '${mode.parameter}' is not supported with this model.`,
      })
    if (mode.kind === 'hang' && mode.content === undefined) return
    if (endpoint === 'models')
      return sendJson(response, {
        object: 'list',
        data: models.map((model) => ({ object: 'model', owned_by: 'tests', ...model })),
      })
    if (!models.some(({ id }) => id === body.model))
      return refuse(response, {
        status: 404,
        message: `The model \`${body.model}\` does not exist`,
        code: 'model_not_found',
      })
    if (endpoint === 'embeddings') return sendEmbeddings(response, body, mode)
    return sendChat(response, body, mode)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    next: (endpoint, ...modes) => void queues[endpoint].push(...modes),
    always: (endpoint, mode) => void (standing[endpoint] = mode),
    reset: () => {
      requests.length = 0
      for (const endpoint of Object.keys(queues) as Endpoint[]) {
        queues[endpoint].length = 0
        delete standing[endpoint]
      }
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/v1/models': 'models',
  '/v1/chat/completions': 'chat',
  '/v1/embeddings': 'embeddings',
}

function refuses(mode: Mode & { kind: 'refuses' }, body: ChatBody): boolean {
  const sent = body[mode.parameter]
  if (sent === undefined) return false
  return mode.only === undefined || body.response_format?.type === mode.only
}

async function readAll(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function sendBrokenJson(response: ServerResponse, stream: boolean): void {
  const cut = '{"id":"chatcmpl-test","choices":[{"delta":'
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
  response.end(stream ? `data: ${cut}\n\ndata: [DONE]\n\n` : cut)
}

function refuse(
  response: ServerResponse,
  why: { status: number; message?: string; code?: string; headers?: Record<string, string> },
): void {
  const error = {
    message: why.message ?? `Status ${why.status}`,
    type: 'invalid_request_error',
    param: null,
    code: why.code ?? null,
  }
  response.writeHead(why.status, { 'content-type': 'application/json', ...why.headers }).end(JSON.stringify({ error }))
}

function sendEmbeddings(response: ServerResponse, { input = [], model }: ChatBody, { kind }: Mode): void {
  const texts = typeof input === 'string' ? [input] : input
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: kind === 'empty' ? [] : hashedEmbedding(text),
  }))
  const tokens = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0)
  sendJson(response, { object: 'list', model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } })
}

/** Returns the text of all messages in the body of a chat request. */
export const promptOf = (body: ChatBody): string =>
  (body.messages ?? [])
    .map(({ content }) => (typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n')))
    .join('\n')

function sendChat(response: ServerResponse, body: ChatBody, mode: Mode): void {
  const prompt = promptOf(body)
  const asked = 'content' in mode ? mode.content : undefined
  const content =
    asked ?? (/JSON Schema/.test(prompt) ? JSON.stringify(exampleAnalysis(prompt)) : exampleAnswer(prompt))
  const finish = mode.kind === 'ok' ? (mode.finish ?? 'stop') : 'stop'
  const head = { id: 'chatcmpl-test', created: 1_700_000_000, model: body.model }
  const usage = {
    prompt_tokens: mode.kind === 'ok' && mode.tokensRead ? mode.tokensRead : prompt.split(/\s+/).length,
    completion_tokens: content.split(/\s+/).length,
    total_tokens: 0,
  }
  const withUsage = mode.kind !== 'ok' || mode.usage !== false
  if (!body.stream) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }]
    return sendJson(response, { ...head, object: 'chat.completion', choices, ...(withUsage ? { usage } : {}) })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = (part: object) =>
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...part })}\n\n`)
  send({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] })
  if (mode.kind === 'drip') return dripInto(response, content, mode.everyMs, send)
  for (const piece of content.match(/[\s\S]{1,24}/g) ?? [])
    send({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] })
  if (mode.kind === 'hang') return
  if (mode.kind === 'error-event') return void response.end(`data: ${JSON.stringify({ error: mode.error })}\n\n`)
  // The delay lets the caller read the written data before the socket is destroyed.
  if (mode.kind === 'break-off') return void response.write(': \n\n', () => setTimeout(() => response.destroy(), 20))
  send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })
  if (body.stream_options && withUsage) send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}

function dripInto(response: ServerResponse, content: string, everyMs: number, send: (part: object) => boolean): void {
  const letters = content[Symbol.iterator]()
  const timer = setInterval(() => {
    const { value, done } = letters.next()
    if (done || response.destroyed) return clearInterval(timer)
    send({ choices: [{ index: 0, delta: { content: value }, finish_reason: null }] })
  }, everyMs)
}
