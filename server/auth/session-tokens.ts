import { createHash, randomBytes } from 'node:crypto'
import type { DBAdapter, Where } from 'better-auth'

type Rows = Omit<DBAdapter, 'transaction'>

/** Returns the stored form of a token. Tokens have 190 random bits, so they need no salt and no slow hash. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** Returns a new random session token of 43 letters and digits, with as much randomness as a token of the auth library. */
export const newToken = () => randomBytes(32).toString('base64url').replace(/[-_]/g, 'x')

/**
 * Wraps the auth library's database adapter. The library works with the client's tokens, and the database stores only their
 * hashes, so that a copy of the table gives access to no session.
 */
export function withHashedTokens(adapter: DBAdapter): DBAdapter {
  return {
    ...adapter,
    ...hashing(adapter),
    transaction: (work) => adapter.transaction((rows) => work({ ...rows, ...hashing(rows) })),
  }
}

function hashing(rows: Rows): Partial<Rows> & Pick<Rows, 'create' | 'findOne' | 'findMany' | 'update'> {
  return {
    create: async <T extends object, R = T>(query: Parameters<typeof rows.create<T, R>>[0]) => {
      const made = await rows.create<T, R>({ ...query, data: hashIn(query.model, query.data) })
      return query.model === 'session' && 'token' in query.data ? { ...made, token: query.data.token } : made
    },
    findOne: async (query) => restore(query, await rows.findOne({ ...query, where: hashWhere(query) })),
    findMany: (query) => rows.findMany({ ...query, where: hashWhere(query) }),
    count: (query) => rows.count({ ...query, where: hashWhere(query) }),
    update: async (query) => {
      const update = hashIn(query.model, query.update)
      return restore(query, await rows.update({ ...query, update, where: hashWhere(query) }))
    },
    updateMany: (query) =>
      rows.updateMany({ ...query, update: hashIn(query.model, query.update), where: hashWhere(query) }),
    delete: (query) => rows.delete({ ...query, where: hashWhere(query) }),
    deleteMany: (query) => rows.deleteMany({ ...query, where: hashWhere(query) }),
    consumeOne: (query) => rows.consumeOne({ ...query, where: hashWhere(query) }),
    incrementOne: (query) => rows.incrementOne({ ...query, where: hashWhere(query) }),
  }
}

function hashIn<T extends object>(model: string, data: T): T {
  return model === 'session' && 'token' in data && typeof data.token === 'string'
    ? { ...data, token: hashToken(data.token) }
    : data
}

function hashWhere({ model, where }: { model: string; where?: Where[] | undefined }): Where[] {
  const hashed = (value: Where['value']) =>
    Array.isArray(value) ? value.map((one) => hashToken(String(one))) : hashToken(String(value))
  return (where ?? []).map((one) =>
    model === 'session' && one.field === 'token' ? { ...one, value: hashed(one.value) } : one,
  )
}

/** Replaces the hash in a found session by the token, if the query searched by token. Otherwise returns `found` unchanged. */
function restore<T>({ model, where }: { model: string; where: Where[] }, found: T | null): T | null {
  const token = model === 'session' ? where.find(({ field }) => field === 'token')?.value : undefined
  return found && typeof token === 'string' ? { ...found, token } : found
}
