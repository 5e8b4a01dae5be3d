import { constants, existsSync } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { listModelsWithState, hasProvider } from '#server/ai/index.ts'
import { oidcEnabled, oidcName, providerAnswers } from '#server/auth/index.ts'
import { describeDatabase } from '#server/db/describe-database.ts'
import { env, givenNames, SETTING_NAMES } from '#server/lib/env.ts'
import { publicMessage } from '#server/lib/errors.ts'
import { similarSettings } from '#server/lib/similar-settings.ts'
import { checkMail, mailEnabled } from '#server/mail/mail.ts'
import { storage } from '#server/storage/storage.ts'
import type { Command, Result } from './command.ts'

const LIMIT_MS = 15_000

/**
 * The checks of the command, by name. Each returns a description of the working part, or throws the reason why it does not
 * work.
 */
const CHECKS: Record<string, () => Promise<string>> = {
  settings: async () => {
    const unknown = similarSettings(givenNames(), SETTING_NAMES)
    if (unknown.length === 0) return 'valid'
    throw new Error(unknown.map(({ name, resembles }) => `${name} is no setting; is ${resembles} meant?`).join(' '))
  },
  database: describeDatabase,
  storage: async () => {
    const folder = `${env.DATA_DIR}/files`
    const isThere = Boolean(env.S3_BUCKET) || existsSync(folder)
    // The check of a missing folder would create it.
    if (isThere) await storage().check()
    else await access(existingParent(folder), constants.W_OK)
    if (env.S3_BUCKET) return `bucket ${env.S3_BUCKET} at ${env.S3_ENDPOINT}`
    const { bavail, bsize } = await statfs(existingParent(folder))
    const free = `folder ${folder}, ${((bavail * bsize) / 1e9).toFixed(1)} GB free`
    return isThere ? free : `${free}: the first start creates it`
  },
  mail: async () => {
    if (!mailEnabled()) return 'not set: users cannot reset a forgotten password themselves'
    await checkMail()
    return 'the mail server accepts the account'
  },
  'sign-in provider': async () => {
    if (!oidcEnabled()) return 'not set'
    if (!(await providerAnswers())) throw new Error('OIDC_ISSUER does not answer, or names another issuer.')
    return `${oidcName()} answers`
  },
  models: async () => {
    if (!hasProvider()) return 'the built-in models'
    const { models, error } = await listModelsWithState()
    if (error !== null) throw new Error(error)
    return `the provider answers with ${models.length - 1} models`
  },
}

/** Returns the path itself if it exists, else the nearest folder above it that exists. */
const existingParent = (path: string): string => (existsSync(path) ? path : existingParent(dirname(path)))

const reasonOf = (error: unknown) => publicMessage(error, error instanceof Error ? error.message : String(error))

async function check(name: string, run: () => Promise<string>) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${LIMIT_MS / 1000} s`)), LIMIT_MS)
  try {
    return { name, ok: true, message: await Promise.race([run(), late.promise]) }
  } catch (error) {
    return { name, ok: false, message: reasonOf(error).replaceAll(/\s+/g, ' ') }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The command that checks settings, database, storage, mail and providers. It prints one line for each check and changes
 * nothing.
 */
export const checkCommand: Command = {
  usage: '',
  argument: 'none',
  isOffline: true,
  run: async (): Promise<Result> => {
    const checks = []
    for (const [name, run] of Object.entries(CHECKS)) checks.push(await check(name, run))
    return {
      lines: checks.map(({ name, ok, message }) => `${ok ? 'ok    ' : 'FAILED'}  ${name}: ${message}`),
      data: { checks },
      failed: checks.some(({ ok }) => !ok),
    }
  },
}
