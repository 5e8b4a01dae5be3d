import { z } from 'zod'
import type { ProjectRight } from './roles.ts'

/**
 * The scopes of API keys. Every key has the scope 'read', because the actions of the other scopes need papers that the key can
 * read.
 */
export const KEY_SCOPES = ['read', 'ask', 'write'] as const
export const keyScope = z.enum(KEY_SCOPES)
export type KeyScope = z.output<typeof keyScope>

/**
 * The project rights that each scope includes. A key can use a right only if its user has this right in the project. No scope
 * includes the rights review, resolve and manage.
 */
export const RIGHTS_OF_SCOPE: Readonly<Record<KeyScope, readonly ProjectRight[]>> = {
  read: ['read'],
  ask: ['ask'],
  write: ['comment', 'edit'],
}

/** Maximum number of API keys of a user. */
export const MOST_KEYS = 20
/** Maximum number of projects in the list of projects that limits an API key: the key can use only these projects. */
export const MOST_KEY_PROJECTS = 100
/** LISTED_CALLS is the default number of calls in the list, latest first. Calls are deleted after CALL_DAYS days. */
export const LISTED_CALLS = 100
export const CALL_DAYS = 30
/** The lifetime of a key in days, unless another one is chosen. */
export const DEFAULT_KEY_DAYS = 90
/** Days before the expiry of a key at which its user gets a reminder by e-mail. */
export const REMIND_DAYS = 7

/** Start of every key, by which secret scanners recognize it. */
export const KEY_START = 'lct_'

export const INVALID_KEY = 'This key is not valid.'
export const KEY_NEEDED = 'Send an API key as Authorization: Bearer.'
export const NO_KEY_MAY = 'No key may do that. Sign in instead.'
export const ALL_PROJECTS_NEEDED = 'This key is limited to projects. Only a key for all projects may do that.'
/** Returns the error for a call with a key that lacks the required scope. */
export const scopeNeeded = (scope: KeyScope) => `This key may not do that. It needs the scope "${scope}".`

/** An API key, as its user sees it. */
export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string().describe('the first part of the key'),
  scopes: z.array(keyScope),
  projects: z
    .array(z.object({ id: z.uuid(), name: z.string() }))
    .nullable()
    .describe('null: every project of the user'),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  last_network: z.string().nullable().describe('the network of the last call: /24 of IPv4, /48 of IPv6'),
  spent: z
    .object({ calls: z.number().int(), tokens: z.number().int() })
    .describe(
      'calls and tokens of the models in requests with the key and in the jobs that they start, this month (UTC); an answer can need several calls',
    ),
})
export type ApiKey = z.infer<typeof apiKey>

/** The response to POST /api/keys: the only one that contains the key. */
export const createdKey = apiKey.extend({ key: z.string() })
export type CreatedKey = z.infer<typeof createdKey>

/** Body of POST /api/keys. */
export const newKey = z
  .object({
    name: z
      .string()
      .trim()
      .min(1, 'Enter a name.')
      .max(60, 'A name has at most 60 characters.')
      .describe('1 to 60 characters'),
    scopes: z
      .array(keyScope)
      .refine((scopes) => scopes.includes('read'), 'Every key has the scope "read".')
      .transform((scopes) => KEY_SCOPES.filter((scope) => scopes.includes(scope))),
    project_ids: z
      .array(z.uuid())
      .min(1, 'Choose at least one project.')
      .max(MOST_KEY_PROJECTS)
      .nullable()
      .describe('null: every project of the user'),
    expires_in_days: z
      .union([z.literal(30), z.literal(90), z.literal(365)])
      .nullable()
      .default(DEFAULT_KEY_DAYS),
  })
  .strict()
export type NewKey = z.input<typeof newKey>

/** A recorded call of the API that was made with an API key. */
export const keyCall = z.object({
  id: z.uuid(),
  key_id: z.uuid(),
  key_name: z.string(),
  called_at: z.string(),
  route: z.string().describe("as in 'GET /api/projects' or 'POST /mcp verify_quote'"),
  status: z.number().int(),
  milliseconds: z.number().int(),
  network: z.string(),
})
export type KeyCall = z.infer<typeof keyCall>

/** Query parameters of GET /api/keys/calls. */
export const keyCallsQuery = z.object({ key_id: z.uuid().optional() })

/** The description of each scope on the screen. */
export const SCOPE_WORDS: Readonly<Record<KeyScope, string>> = {
  read: 'Projects, papers, text, search',
  ask: 'Answers and analyses that cost model tokens',
  write: 'Papers, tags, feeds, recommendations, imports',
}
/** The choices for the lifetime of an API key in days; null: the key does not expire. */
export const KEY_DAYS = [30, 90, 365, null] as const
