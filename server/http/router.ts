import { OpenAPIHono, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { findUnstorable } from '#shared/text/storable-text.ts'
import { ADMINS_ONLY, AppError, type ErrorCode } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'

/** The variables that the context of every request has. */
export interface AppBindings {
  Variables: {
    /** The caller; null without a session or API key. Routes under /api and /functions use `actorOf` instead. */
    actor: Actor | null
    sessionToken: string | null
    /**
     * The name and the status with which a call with an API key is recorded, if they differ from the route and status of HTTP
     * (MCP).
     */
    recorded?: { name: string; status: number }
  }
}
export type AppContext = Context<AppBindings>

/** Creates a router that reports invalid input with the error body `apiError`. */
export function createRouter() {
  return new OpenAPIHono<AppBindings>({
    defaultHook: (result) => {
      const code = result.target === 'json' || result.target === 'form' ? 'refused' : 'malformed'
      if (result.success) {
        refuseUnstorable(result.data, result.target === 'param' ? 'not_found' : code)
        return
      }
      if (result.target === 'param') throw new AppError('not_found', result.error.issues[0]?.message ?? 'Not found')
      throw invalidInput(result.error, code)
    },
  })
}

/** Returns the error for input that a schema refuses. Names each wrong field and each unknown parameter. */
export function invalidInput({ issues }: z.ZodError, code: 'refused' | 'malformed'): AppError {
  const fields: Record<string, string> = {}
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) fields[key] ??= UNKNOWN
    else fields[issue.path.join('.') || 'body'] ??= inWords(issue.message)
  const [first] = Object.entries(fields)
  // Valid JSON that breaks a rule is 422; an unreadable body was refused before with 400. A message of our own
  // names its field; a general one needs the field's name.
  const isOwn = issues[0]?.message === first?.[1]
  const message = first
    ? isOwn || first[0] === 'body'
      ? first[1]
      : `${first[0]}: ${first[1]}`
    : 'The request is not valid.'
  return new AppError(code, message, { fields })
}

const UNKNOWN = 'There is no such parameter.'

/**
 * Returns the message of a validation error for users. Messages of zod are for programmers and are replaced; messages of the
 * schemas are unchanged.
 */
function inWords(message: string): string {
  if (message.startsWith('Too big')) return 'This value is too long or too large.'
  if (message.startsWith('Too small')) return 'This value is too short or too small.'
  return /^(?:Invalid|Unrecognized)\b/.test(message) ? 'This value is not valid.' : message
}

/**
 * Throws `code` if any text of the input contains a NUL or an unpaired surrogate, because PostgreSQL cannot store such a text.
 */
export function refuseUnstorable(input: unknown, code: ErrorCode = 'refused'): void {
  const found = findUnstorable(input)
  if (found === null) return
  const field = found || 'body'
  throw new AppError(code, `${field}: ${UNSTORABLE}`, { fields: { [field]: UNSTORABLE } })
}

const UNSTORABLE = 'This text contains a character that cannot be stored.'

/** Returns the caller. Throws 'no_session' without a session. */
export function actorOf(context: AppContext): Actor {
  const actor = context.get('actor')
  if (!actor) throw new AppError('no_session', 'You are not logged in.')
  return actor
}

/**
 * Returns the caller, who must be an admin. Throws 'no_session' or 'forbidden'. Call it before any other check of the request.
 */
export function requireAdmin(context: AppContext): Actor {
  const actor = actorOf(context)
  if (!actor.isAdmin) throw new AppError('forbidden', ADMINS_ONLY)
  return actor
}
