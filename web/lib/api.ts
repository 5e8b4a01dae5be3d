import { z } from 'zod'
import { ADMINS_ONLY, apiError, NO_MESSAGE, UNKNOWN_ERROR } from '#shared/contract/errors.ts'
import { endEarlyRequests, takeEarly } from './early-requests.ts'

/**
 * Thrown for a refused or failed request, with a message for the user. `status` is the HTTP status, or 0 if the server is
 * unreachable.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** Validation messages by the name of the form field. */
  readonly fields: Record<string, string>
  /** The current row of the database. Only in a 409 response with the code 'changed', after the row was changed elsewhere. */
  readonly current: unknown
  /** The HTTP reason phrase, for example 'Conflict'; empty over HTTP/2. */
  readonly statusText: string
  /** The seconds of the header Retry-After, after which a repeated request is useful. Only errors of `upload` have it. */
  readonly retryAfter: number | undefined
  constructor(
    status: number,
    code: string,
    message: string,
    fields: Record<string, string> = {},
    statusText = '',
    current?: unknown,
    retryAfter?: number,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
    this.statusText = statusText
    this.current = current
    this.retryAfter = retryAfter
  }
}

let onSignedOut: () => void = () => {}
/** Sets the function that is called when the server reports that the session has ended. */
export const setSignedOutHandler = (handler: () => void) => {
  onSignedOut = handler
}

let onNoAdmin: () => void = () => {}
/** Sets the function that is called when the server reports that the caller is not an administrator. */
export const setNoAdminHandler = (handler: () => void) => {
  onNoAdmin = handler
}

/** Reports that the session has ended. For requests that are not sent with `request`. */
export const sessionIsGone = () => onSignedOut()

interface RequestOptions<S extends z.ZodType> {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  schema: S
  signal?: AbortSignal | undefined
  /** Set for sign-in requests, where status 401 means a wrong password and not that the session has ended. */
  keepSession?: boolean
}

/**
 * Sends JSON and returns the JSON response, validated by `schema`. Throws an ApiError for an error status or a failed
 * connection, and a ZodError for a response of another shape.
 */
export async function request<S extends z.ZodType>(path: string, options: RequestOptions<S>): Promise<z.infer<S>> {
  const { method = 'GET', body, schema, signal, keepSession = false } = options
  // A change makes earlier responses out of date.
  if (method !== 'GET') endEarlyRequests()
  const early = takeEarly(path, signal)
  const response = await (
    early ??
    fetch(path, {
      method,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  ).catch(unreachable)
  // The connection can also break while the body is read.
  const text = await response.text().catch(unreachable)
  if (!response.ok) throw failed(response.status, text, keepSession, response.statusText)
  return schema.parse(text ? JSON.parse(text) : null)
}

/**
 * Sends JSON with POST and returns the file in the response, with its name from the Content-Disposition header ('' if there is
 * none). `onBytes` is called with the number of bytes received so far. Throws an ApiError if the server is unreachable or
 * refuses the request, and if the connection breaks during the download.
 */
export async function requestFile(
  path: string,
  { body, signal, onBytes }: { body: unknown; signal?: AbortSignal; onBytes?: (bytes: number) => void },
): Promise<{ blob: Blob; name: string; headers: Headers }> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  }).catch(unreachable)
  if (!response.ok) throw failed(response.status, await response.text().catch(unreachable), false, response.statusText)
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, stream) {
      onBytes?.((bytes += chunk.byteLength))
      stream.enqueue(chunk)
    },
  })
  // The browser stores a large file on its disk.
  const blob = await new Response(response.body!.pipeThrough(counter)).blob().catch(() => {
    signal?.throwIfAborted()
    throw new ApiError(0, 'interrupted', 'The file ended early. Try again.')
  })
  const { headers } = response
  const [, name = ''] = /filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '') ?? []
  return { blob, name: decodeURIComponent(name), headers }
}

/**
 * Throws an ApiError for a lost connection in place of the browser's error, whose message differs between browsers. Rethrows
 * aborts.
 */
function unreachable(error: unknown): never {
  if (error instanceof DOMException && (error.name === 'AbortError' || error.name === 'TimeoutError')) throw error
  throw new ApiError(0, 'unreachable', 'The server cannot be reached. Check your connection and try again.')
}

/** Schema for a response whose content is not used. */
export const anything = z.unknown()
/** Returns a schema for the response `{ data: … }`. Parsing returns the value of `data`. */
export const one = <T>(schema: z.ZodType<T>): z.ZodType<T> => z.object({ data: schema }).transform(({ data }) => data)
/** Returns a schema for a page of a list, the response `{ data: […], count }`. */
export const page = <S extends z.ZodType>(schema: S) => z.object({ data: z.array(schema), count: z.number().int() })
/** Returns a schema for the response `{ data: […] }`. Parsing returns the list in `data`. */
export const many = <S extends z.ZodType>(schema: S) =>
  z.object({ data: z.array(schema) }).transform((answer) => answer.data)

/**
 * Sends fields and files as multipart form data. `onProgress` is called with the sent fraction, from 0 to 1. Throws the same
 * errors as `request`.
 */
export async function upload<S extends z.ZodType>(
  path: string,
  fields: Record<string, string | File>,
  schema: S,
  { onProgress, signal }: { onProgress?: (part: number) => void; signal?: AbortSignal } = {},
): Promise<z.infer<S>> {
  signal?.throwIfAborted()
  const text = await new Promise<string>((resolve, reject) => {
    // XMLHttpRequest, because fetch does not report upload progress.
    const call = new XMLHttpRequest()
    call.open('POST', path)
    call.setRequestHeader('accept', 'application/json')
    call.upload.onprogress = (event) => event.lengthComputable && onProgress?.(event.loaded / event.total)
    call.onerror = () =>
      reject(new ApiError(0, 'unreachable', 'The server cannot be reached. Check your connection and try again.'))
    call.onabort = () => reject(new DOMException('Aborted', 'AbortError'))
    call.onload = () => {
      if (call.status >= 200 && call.status <= 299) return resolve(call.responseText)
      const seconds = Number.parseInt(call.getResponseHeader('retry-after') ?? '', 10)
      reject(failed(call.status, call.responseText, false, '', Number.isNaN(seconds) ? undefined : seconds))
    }
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    signal?.addEventListener('abort', () => call.abort(), { once: true })
    call.send(form)
  })
  return schema.parse(JSON.parse(text))
}

/** Returns the message of an error for the user; `fallback` if it has none. */
export function messageOf(error: unknown, fallback = NO_MESSAGE): string {
  if (error instanceof ApiError) return error.message || fallback
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return 'The server gave an answer that this page cannot read. Reload the page.'
  return error instanceof Error && error.message ? error.message : fallback
}

function failed(status: number, text: string, keepSession: boolean, statusText = '', retryAfter?: number): ApiError {
  if (status === 401 && !keepSession) sessionIsGone()
  const { code = 'failed', message, fields, current } = errorBody.parse(parseJson(text))
  if (status === 403 && message === ADMINS_ONLY) onNoAdmin()
  return new ApiError(status, code, message, fields, statusText, current, retryAfter)
}

interface ErrorBody {
  code?: string | undefined
  message: string
  fields?: Record<string, string> | undefined
  current?: unknown
}

/** Accepts the body of any error response: of the API, of a proxy, or of anything else. */
const errorBody = z.union([
  apiError.transform(({ error }): ErrorBody => error),
  z.object({ error: z.string() }).transform(({ error }): ErrorBody => ({ message: error })),
  z.object({ message: z.string(), code: z.string().optional() }).transform((body): ErrorBody => body),
  z.unknown().transform((): ErrorBody => ({ message: UNKNOWN_ERROR })),
])

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
