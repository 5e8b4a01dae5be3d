import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from './database.ts'

/**
 * The database of a server. `secret` is the key that signs session tokens; without it, the server has stored a key in
 * `dataDir`.
 */
interface AccountStore {
  dataDir: string
  databaseUrl: string | undefined
  secret?: string | undefined
}

/** Name of the environment variable with the hash of the default password of all accounts of a test run. */
export const RUN_PASSWORD = 'TEST_STORED_PASSWORD'

const SESSION_DAYS = 14
const stores = new Map<string, AccountStore>()

/** Registers the database of the server at `url`, so that `insertAccount` and `insertSession` can write to it. */
export const addAccountStore = (url: string, store: AccountStore): void => void stores.set(url, store)

/** Returns the password hash of an account. */
export async function readStoredPassword(store: AccountStore, userId: string): Promise<string> {
  const [account] = await inDatabase(store, 'select password from account where user_id = $1', [userId])
  return String(account?.['password'])
}

/**
 * Inserts an account with the default password, and a session, into the database. This avoids the two slow computations of the
 * password hash (0.2 s of processor time) of a sign-up and a sign-in. A first request then creates the profile. Returns null if
 * the database of the server or the hash is unknown.
 */
export async function insertAccount(url: string, email: string): Promise<{ userId: string; token: string } | null> {
  const store = stores.get(url)
  const password = process.env[RUN_PASSWORD]
  if (!store || !password) return null
  const userId = newId()
  await inDatabase(
    store,
    `with stored as (insert into "user" (id, name, email) values ($1, $2, $3) returning id)
     insert into account (id, account_id, provider_id, user_id, password) select $4, id, 'credential', id, $5 from stored`,
    [userId, email.split('@')[0], email.toLowerCase(), newId(), password],
  )
  const token = (await insertSession(url, userId))!
  const response = await fetch(url + api.session(), { headers: { authorization: `Bearer ${token}` } })
  if (!(await response.text()).includes(userId)) throw new Error(`The server refused the session of ${email}.`)
  await inDatabase(store, 'update profiles set last_sign_in_at = now() where id = $1', [userId])
  return { userId, token }
}

/** Inserts a session of an account and returns its signed token. Returns null if the database of the server is unknown. */
export async function insertSession(url: string, userId: string): Promise<string | null> {
  const store = stores.get(url)
  if (!store) return null
  const token = newId()
  const expires = new Date(Date.now() + SESSION_DAYS * 24 * 3600_000)
  await inDatabase(store, 'insert into session (id, token, user_id, expires_at) values ($1, $2, $3, $4)', [
    newId(),
    createHash('sha256').update(token).digest('hex'),
    userId,
    expires,
  ])
  const secret = store.secret ?? (await readSecret(url, store.dataDir))
  return `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`
}

/** Returns the key that signs the session tokens of a server. Its first request for a session creates the key. */
async function readSecret(url: string, dataDir: string): Promise<string> {
  const path = join(dataDir, 'auth-secret')
  if (!existsSync(path)) await fetch(url + api.session())
  return (await readFile(path, 'utf8')).trim()
}

const newId = () => randomBytes(16).toString('hex')
