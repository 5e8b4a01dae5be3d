import { ROLE_TOO_SMALL } from '#shared/contract/roles.ts'
import { ADMINS_ONLY } from '#shared/contract/errors.ts'
import { MISSING_RIGHT, NOT_ADMIN } from '#server/http/define-route.ts'
import { INVITATION_GONE } from '#shared/contract/invitations.ts'

interface Refusal {
  status: string
  /** The name of the OpenAPI component with this response. */
  name: string
  description: string
  code: string
  message: string
}

/** The error responses that operations share. Several entries can have the same status; the first is its default. */
const REFUSALS: readonly Refusal[] = [
  {
    status: '400',
    name: 'BadRequest',
    description: 'The body or a parameter is malformed',
    code: 'malformed',
    message: 'The request is not valid JSON.',
  },
  {
    status: '401',
    name: 'Unauthorized',
    description: 'No session',
    code: 'no_session',
    message: 'You are not logged in.',
  },
  {
    status: '403',
    name: 'Forbidden',
    description: 'The request came from a page of another site',
    code: 'forbidden',
    message: 'This request came from another site.',
  },
  { status: '403', name: 'RightMissing', description: MISSING_RIGHT, code: 'forbidden', message: ROLE_TOO_SMALL },
  { status: '403', name: 'NotAdmin', description: NOT_ADMIN, code: 'forbidden', message: ADMINS_ONLY },
  {
    status: '404',
    name: 'NotFound',
    description: 'Not found, or not visible to the caller',
    code: 'not_found',
    message: 'Document not found',
  },
  {
    status: '409',
    name: 'Conflict',
    description: 'The request conflicts with the current state',
    code: 'conflict',
    message: 'This document is being analyzed already.',
  },
  {
    status: '410',
    name: 'Gone',
    description: 'The link has been used, was revoked or has expired',
    code: 'gone',
    message: INVITATION_GONE,
  },
  {
    status: '413',
    name: 'ContentTooLarge',
    description: 'The body is too large',
    code: 'too_large',
    message: 'Request too large',
  },
  {
    status: '415',
    name: 'UnsupportedMediaType',
    description: 'Unsupported media type',
    code: 'wrong_type',
    message: 'This file is not a PDF. Only PDF files are accepted.',
  },
  {
    status: '422',
    name: 'UnprocessableContent',
    description: 'Valid JSON but refused by a rule',
    code: 'refused',
    message: 'No text available to vectorize',
  },
  {
    status: '429',
    name: 'TooManyRequests',
    description: 'Too many requests; see Retry-After',
    code: 'too_many',
    message: 'Too many requests. Please try again later.',
  },
  {
    status: '500',
    name: 'InternalServerError',
    description: 'Unexpected error',
    code: 'internal',
    message: 'An unknown error occurred.',
  },
  {
    status: '501',
    name: 'NotImplemented',
    description: 'Not set up on this server',
    code: 'not_configured',
    message: 'Google Drive is not set up on this installation.',
  },
  {
    status: '502',
    name: 'BadGateway',
    description: 'An outside service failed',
    code: 'outside_failed',
    message: 'The file storage did not answer. Please try again later.',
  },
  {
    status: '504',
    name: 'GatewayTimeout',
    description: 'An outside service did not answer in time',
    code: 'outside_slow',
    message: 'The address took too long to answer.',
  },
]

/**
 * An object with the OpenAPI component `FunctionError`: the schema of the error body of the routes under /functions/v1. Such a
 * body contains only a message.
 */
export const functionError = {
  FunctionError: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
}

/**
 * Returns the error responses to which the document refers, by component name, for the API and for server functions. `paths` is
 * the `paths` object of the document as JSON text.
 */
export function sharedResponses(paths: string): Record<string, object> {
  const responses = REFUSALS.flatMap((refusal) => [
    { name: refusal.name, response: responseOf(refusal) },
    { name: `Function${refusal.name}`, response: responseOfFunction(refusal) },
  ])
  const used = responses.filter(({ name }) => paths.includes(`"#/components/responses/${name}"`))
  return Object.fromEntries(used.map(({ name, response }) => [name, response]))
}

function responseOf({ description, code, message }: Refusal) {
  const schema = { $ref: '#/components/schemas/ApiError' }
  return { description, content: { 'application/json': { schema, example: { error: { code, message } } } } }
}

function responseOfFunction({ description, code, message }: Refusal) {
  const schema = { $ref: '#/components/schemas/FunctionError' }
  const example = { error: code === 'no_session' ? 'No active session' : message }
  return { description, content: { 'application/json': { schema, example } } }
}

/**
 * Returns the OpenAPI response of an operation for an error status such as '404'. If `description` is empty or is the
 * description of a shared response for this status, returns a reference to the shared response. Otherwise returns a response
 * with this description. Returns null for a status that has no shared response.
 */
export function errorResponse(path: string, status: string, description: string | undefined): object | null {
  const [first, ...others] = REFUSALS.filter((one) => one.status === status)
  if (!first) return null
  const isFunction = path.startsWith('/functions/')
  const shared = [first, ...others].find((one) => one.description === (description || first.description))
  if (shared) return { $ref: `#/components/responses/${isFunction ? 'Function' : ''}${shared.name}` }
  const own = { ...first, description: description! }
  return isFunction ? responseOfFunction(own) : responseOf(own)
}
