import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { readDotEnv, SettingError } from './dot-env.ts'

const flag = z.enum(['on', 'off', 'true', 'false', '1', '0']).transform((text) => ['on', 'true', '1'].includes(text))
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })
const text = z.string().min(1)
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const commaList = z.string().transform((list) =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
)
/** A domain of two or more labels, without a port: `example.org`. */
const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/

const settings = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  PUBLIC_URL: httpUrl
    .refine(
      (url) => /^https?:\/\/[^/?#]+\/?$/i.test(url),
      'must be an address without a path: Lectern needs its own host name',
    )
    // In lower case, because the security of cookies and the check of origins depend on it.
    .transform((url) => new URL(url).origin)
    .optional(),
  DATA_DIR: text.default('./data').transform((path) => resolve(path)),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: text.optional(),
  S3_BUCKET: text.optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  AI_BASE_URL: httpUrl.optional(),
  AI_API_KEY: text.optional(),
  AI_CHAT_MODEL: text.optional(),
  AI_EMBEDDING_MODEL: text.optional(),
  AI_VISION_MODEL: text.optional(),
  AI_VERIFY: flag.default(true),
  AI_ANSWER_SECONDS: whole(5, 3600).default(120),
  CITATIONS: flag.default(true),
  EMBEDDINGS: flag.default(true),
  EMBEDDING_MODEL_DIR: text.optional(),
  EMBEDDING_POOLING: z.enum(['mean', 'cls']).optional(),
  EMBEDDING_QUERY_PREFIX: z.string().optional(),
  EMBEDDING_TEXT_PREFIX: z.string().optional(),
  EMBEDDING_THREADS: whole(1, 64).default(1),
  OCR_LANGUAGES: z
    .string()
    .default('eng')
    .transform((list) => [
      ...new Set(
        list
          .split(',')
          .map((entry) => entry.trim())
          // The data `osd` detects orientation and script, which the OCR does not use. It is not a language.
          .filter((entry) => entry !== '' && entry !== 'osd'),
      ),
    ])
    .refine(
      (list) => list.length > 0 && list.every((entry) => /^\w+$/.test(entry)),
      'must be a comma list of language codes of Tesseract, as in eng,fra; osd is not a language',
    ),
  OCR_LANGUAGE_DIR: text.optional(),
  OPENALEX_URL: httpUrl.default('https://api.openalex.org'),
  OPENALEX_API_KEY: text.optional(),
  CROSSREF_URL: httpUrl.default('https://api.crossref.org'),
  UNPAYWALL_URL: httpUrl.default('https://api.unpaywall.org'),
  ARXIV_URL: httpUrl.default('https://export.arxiv.org'),
  OPENLIBRARY_URL: httpUrl.default('https://openlibrary.org'),
  ZOTERO_URL: httpUrl.default('https://api.zotero.org'),
  CONTACT_EMAIL: z.email().optional(),
  GOOGLE_CLIENT_ID: text.optional(),
  GOOGLE_CLIENT_SECRET: text.optional(),
  GOOGLE_AUTH_URL: httpUrl.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: httpUrl.default('https://oauth2.googleapis.com/token'),
  GOOGLE_DRIVE_URL: httpUrl.default('https://www.googleapis.com/drive/v3'),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: text.optional(),
  PRODUCT_NAME: text.default('Lectern'),
  COMPANY_NAME: text.default('Lectern'),
  SUPPORT_EMAIL: z.email().default('support@example.org'),
  PRIVACY_EMAIL: z.email().default('privacy@example.org'),
  SIGN_UP: z.enum(['open', 'invited', 'closed'], { error: 'must be open, invited or closed' }).default('open'),
  SIGN_UP_DOMAINS: commaList
    .transform((list) => list.map((domain) => domain.toLowerCase().replace(/^@/, '')))
    .refine((list) => list.every((domain) => DOMAIN.test(domain)), 'must be a comma list of domains, as in example.org')
    .prefault(''),
  PASSWORD_SIGN_IN: flag.default(true),
  OIDC_TRUST_EMAIL: flag.optional(),
  OIDC_NAME: text.max(60).optional(),
  OIDC_ADMIN_CLAIM: z
    .string()
    .regex(/^[^=\s]+=.+$/, 'must be name=value, as in groups=lectern-admins')
    .optional(),
  GUARDED_FETCH_ALLOW: commaList
    .transform((list) => list.map((entry) => entry.toLowerCase()))
    .refine(
      (list) => list.every((entry) => /^(\[[0-9a-f:]+\]|[^:\s]+):\d+$/.test(entry)),
      'must be a comma list of host:port',
    )
    .prefault(''),
  TRUSTED_PROXIES: commaList
    .refine(
      (list) => list.every((entry) => (entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry))),
      'must be a comma list of addresses or networks, as in 127.0.0.1,10.0.0.0/8',
    )
    .prefault(''),
  MCP: flag.default(true),
  API_ORIGINS: commaList
    .transform((list) => list.map((origin) => URL.parse(origin)?.origin ?? ''))
    .refine(
      (list) => list.every((origin) => /^https?:\/\//.test(origin)),
      'must be a comma list of origins, as in https://notebook.example.org',
    )
    .prefault(''),
  API_KEY_REQUESTS_PER_MINUTE: whole(1, 100_000).default(120),
  API_KEY_ASKS_PER_MINUTE: whole(1, 100_000).default(10),
  API_KEY_UPLOADS_PER_HOUR: whole(1, 1_000_000).default(60),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  RATE_LIMIT: flag.default(true),
  METRICS_TOKEN: text.optional(),
  ERROR_WEBHOOK_URL: httpUrl.optional(),
  DRAIN_SECONDS: whole(0, 300).default(0),
  DATABASE_POOL: whole(2, 200).default(20),
  MAX_UPLOAD_MB: whole(1, 10_000).default(100),
  WORKERS: whole(1, 64).optional(),
  JOB_SILENCE_SECONDS: whole(10, 600).default(30),
  EMBEDDED_MAINTENANCE_SECONDS: whole(1, 3600).default(60),
})

/** The validated settings of a process. Names and defaults: the table in README.md. */
export type Env = z.output<typeof settings>

const SECRETS = [
  'AUTH_SECRET',
  'DATABASE_URL',
  'S3_SECRET_ACCESS_KEY',
  'AI_API_KEY',
  'OPENALEX_API_KEY',
  'GOOGLE_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'METRICS_TOKEN',
  'ERROR_WEBHOOK_URL',
] as const

/** Groups of settings. Either all settings of a group must be set, or none. */
const GROUPS: readonly (readonly (keyof Env)[])[] = [
  ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
  ['SMTP_URL', 'MAIL_FROM'],
]

/** Pairs of settings. The first setting of a pair requires the second one. */
const NEEDS: readonly (readonly [keyof Env, keyof Env])[] = [
  ['AI_API_KEY', 'AI_BASE_URL'],
  ['AI_CHAT_MODEL', 'AI_BASE_URL'],
  ['AI_EMBEDDING_MODEL', 'AI_BASE_URL'],
  ['AI_VISION_MODEL', 'AI_BASE_URL'],
  ['EMBEDDING_POOLING', 'EMBEDDING_MODEL_DIR'],
  ['EMBEDDING_QUERY_PREFIX', 'EMBEDDING_MODEL_DIR'],
  ['EMBEDDING_TEXT_PREFIX', 'EMBEDDING_MODEL_DIR'],
  ['OIDC_NAME', 'OIDC_ISSUER'],
  ['OIDC_TRUST_EMAIL', 'OIDC_ISSUER'],
  ['OIDC_ADMIN_CLAIM', 'OIDC_ISSUER'],
]

/**
 * Reads and validates the settings. For a secret NAME, the variable `NAME_FILE` can have the path of a file that contains it;
 * the last line break is removed. An empty value counts as unset. Throws a SettingError with the name of the first invalid
 * variable.
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''))
  for (const name of SECRETS) {
    const file = given[`${name}_FILE`]
    if (!file) continue
    if (given[name]) throw new SettingError(`${name} and ${name}_FILE are both set: give one of them.`)
    try {
      given[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch (error) {
      throw new SettingError(
        `${name}_FILE: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'}).`,
      )
    }
  }
  const checked = settings.safeParse(given)
  if (!checked.success) {
    const issue = checked.error.issues[0]!
    throw new SettingError(`${String(issue.path[0])}: ${issue.message}.`)
  }
  for (const group of GROUPS) {
    const missing = group.filter((name) => checked.data[name] === undefined)
    if (missing.length > 0 && missing.length < group.length)
      throw new SettingError(
        `${missing[0]} is not set, but ${group.find((name) => checked.data[name] !== undefined)} is: set all of ${group.join(', ')} or none.`,
      )
  }
  for (const [name, needed] of NEEDS)
    if (checked.data[name] !== undefined && checked.data[needed] === undefined)
      throw new SettingError(`${needed} is not set, but ${name} is: set both or none.`)
  if (!checked.data.PASSWORD_SIGN_IN && checked.data.OIDC_ISSUER === undefined)
    throw new SettingError('OIDC_ISSUER is not set, but PASSWORD_SIGN_IN is off: no user could sign in.')
  return checked.data
}

/** The names of all settings, with `NAME_FILE` for secrets. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(settings.shape),
  ...SECRETS.map((name) => `${name}_FILE`),
]

const given = { ...readDotEnv(), ...process.env }

/**
 * The settings of this process, from the environment and from `.env` in the working folder. A variable of the environment takes
 * precedence.
 */
export const env: Env = readEnv(given)

/** The standard settings of OpenTelemetry, which are not part of `env`. */
export const otelSettings = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name.startsWith('OTEL_')))

/** The names of all variables of the environment and of `.env`. */
export const givenNames = (): string[] => Object.keys(given)

/** Returns the folder of the embedded database. */
export const databaseFolder = () => `${env.DATA_DIR}/database`

/** Returns the public address: PUBLIC_URL, or the address that the server listens on. */
export const publicUrl = () =>
  env.PUBLIC_URL ?? `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${env.PORT}`
