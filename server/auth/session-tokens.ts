import { createHash, randomBytes } from 'node:crypto'
import type { DBAdapter, Where } from 'better-auth'

type Rows = Omit<DBAdapter, 'transaction'>

/** Returns the stored form of a token. Tokens have 190 random bits, so they need no salt and no slow hash. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** Returns a new session token, with as much randomness as the library's own. */
export const newToken = () => randomBytes(32).toString('base64url').replace(/[-_]/g, 'x')

/**
 * Wraps the library's database adapter and hashes session tokens: the library works with the client's token, and a copy
 * of the table gives access to no session.
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
    create: async <T extends object, R = T>(asked: Parameters<typeof rows.create<T, R>>[0]) => {
      const made = await rows.create<T, R>({ ...asked, data: hashIn(asked.model, asked.data) })
      return asked.model === 'session' && 'token' in asked.data ? { ...made, token: asked.data.token } : made
    },
    findOne: async (asked) => restore(asked, await rows.findOne({ ...asked, where: hashWhere(asked) })),
    findMany: (asked) => rows.findMany({ ...asked, where: hashWhere(asked) }),
    count: (asked) => rows.count({ ...asked, where: hashWhere(asked) }),
    update: async (asked) => {
      const update = hashIn(asked.model, asked.update)
      return restore(asked, await rows.update({ ...asked, update, where: hashWhere(asked) }))
    },
    updateMany: (asked) =>
      rows.updateMany({ ...asked, update: hashIn(asked.model, asked.update), where: hashWhere(asked) }),
    delete: (asked) => rows.delete({ ...asked, where: hashWhere(asked) }),
    deleteMany: (asked) => rows.deleteMany({ ...asked, where: hashWhere(asked) }),
    consumeOne: (asked) => rows.consumeOne({ ...asked, where: hashWhere(asked) }),
    incrementOne: (asked) => rows.incrementOne({ ...asked, where: hashWhere(asked) }),
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

/** A session that was found by its token is returned with that token. */
function restore<T>({ model, where }: { model: string; where: Where[] }, found: T | null): T | null {
  const asked = model === 'session' ? where.find(({ field }) => field === 'token')?.value : undefined
  return found && typeof asked === 'string' ? { ...found, token: asked } : found
}
