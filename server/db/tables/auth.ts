import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * Accounts. Only server/auth and the auth library write this table, as the database role that owns the tables. The restricted
 * role, to which row-level security applies, cannot read it.
 */
export const user = pgTable('user', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
})

export const session = pgTable(
  'session',
  {
    id: text('id').primaryKey(),
    /** SHA-256 of the client's token (server/auth/session-tokens.ts). */
    token: text('token').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    expiresAt: time('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    // 'pending': the password was right, but the second factor is missing. Such a session is not signed in.
    level: text('level', { enum: ['aal1', 'aal2', 'pending'] })
      .notNull()
      .default('aal1'),
    /** The time of the last proof of identity: sign-in, password or code. */
    provedAt: time('proved_at').notNull().defaultNow(),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [index('session_user_id').on(table.userId)],
)

export const account = pgTable(
  'account',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: time('access_token_expires_at'),
    refreshTokenExpiresAt: time('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [index('account_user_id').on(table.userId)],
)

export const verification = pgTable(
  'verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [index('verification_identifier').on(table.identifier)],
)

/**
 * Numbers of calls for rate limits, shared by all processes. `key` identifies the limit and the caller.
 * server/http/rate-limit.ts writes rows. `lastRequest` is the start of the counted period, in Unix milliseconds.
 */
export const rateLimit = pgTable('rate_limit', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  count: integer('count').notNull(),
  lastRequest: bigint('last_request', { mode: 'number' }).notNull(),
})

/**
 * Second factors. `secret` is encrypted; `last_step` is the time step of the last accepted code, so that no code is
 * accepted twice.
 */
export const factor = pgTable(
  'factor',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    user_id: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    friendly_name: text('friendly_name').notNull(),
    factor_type: text('factor_type', { enum: ['totp', 'phone'] }).notNull(),
    issuer: text('issuer').notNull(),
    secret: text('secret').notNull(),
    status: text('status', { enum: ['unverified', 'verified'] })
      .notNull()
      .default('unverified'),
    last_step: bigint('last_step', { mode: 'number' }).notNull().default(0),
    failures: integer('failures').notNull().default(0),
    locked_until: time('locked_until'),
    created_at: time('created_at').notNull().defaultNow(),
    updated_at: time('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('factor_user_id').on(table.user_id),
    uniqueIndex('factor_one_verified')
      .on(table.user_id)
      .where(sql`status = 'verified'`),
  ],
)

/** A started verification of a second factor. It is valid only in the session that requested it. */
export const factorChallenge = pgTable(
  'factor_challenge',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    factor_id: uuid('factor_id')
      .notNull()
      .references(() => factor.id, { onDelete: 'cascade' }),
    session_id: text('session_id')
      .notNull()
      .references(() => session.id, { onDelete: 'cascade' }),
    attempts: integer('attempts').notNull().default(0),
    expires_at: time('expires_at').notNull(),
  },
  (table) => [
    index('factor_challenge_session').on(table.session_id),
    index('factor_challenge_factor').on(table.factor_id),
  ],
)

/** Unused backup codes of second factors, hashed with the server's secret. A used code is deleted. */
export const backupCode = pgTable(
  'backup_code',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    factor_id: uuid('factor_id')
      .notNull()
      .references(() => factor.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
  },
  (table) => [uniqueIndex('backup_code_hash').on(table.factor_id, table.hash)],
)

/** E-mails that wait for delivery. A sent e-mail is deleted. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    attempts: integer('attempts').notNull().default(0),
    due_at: time('due_at').notNull().defaultNow(),
    created_at: time('created_at').notNull().defaultNow(),
    /** The time when the link in the e-mail expires. The e-mail is not sent after this time. */
    expires_at: time('expires_at')
      .notNull()
      .default(sql`now() + interval '7 days'`),
  },
  (table) => [index('outbox_due_at').on(table.due_at)],
)
