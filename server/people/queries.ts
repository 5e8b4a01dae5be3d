import { and, asc, desc, eq, ilike, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { containing } from '#server/db/like-pattern.ts'
import type { PeopleQuery, PeopleShown, Person } from '#shared/contract/people.ts'

const { id, email, full_name, avatar_url, is_admin, disabled_at, last_sign_in_at, created_at } = profiles
const columns = { id, email, full_name, avatar_url, is_admin, disabled_at, last_sign_in_at, created_at }

/** SQL expressions by which the list of users can be sorted. A user without a name is sorted by e-mail address. */
const ORDERS: Record<string, SQL> = {
  full_name: sql`lower(coalesce(nullif(${full_name}, ''), ${email}))`,
  email: sql`lower(${email})`,
  // People who never signed in come before the earliest sign-in.
  last_sign_in_at: sql`coalesce(${last_sign_in_at}, '-infinity')`,
  created_at: sql`${created_at}`,
}
const SHOWN: Record<PeopleShown, SQL> = {
  admins: and(eq(is_admin, true), isNull(disabled_at))!,
  users: and(eq(is_admin, false), isNull(disabled_at))!,
  disabled: isNotNull(disabled_at),
}

/**
 * Returns a page of the users, with the total count. Runs with the rights of the caller, who must be an admin to see all users.
 */
export async function findPeople(tx: Tx, { search, show, page, limit, order_by }: PeopleQuery) {
  const words = search ? containing(search) : null
  const where = and(
    words ? or(ilike(email, words), ilike(full_name, words), ilike(profiles.display_name, words)) : undefined,
    show ? SHOWN[show] : undefined,
  )
  const [column, direction] = order_by.split('.')
  const data = await tx
    .select(columns)
    .from(profiles)
    .where(where)
    .orderBy((direction === 'desc' ? desc : asc)(ORDERS[column!]!), asc(id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(profiles)
    .where(where)
  return { data, count: counted?.count ?? 0 }
}

/** Returns the user with an id as a list with one element, or an empty list. */
export const findPeopleById = (tx: Tx, wanted: string): Promise<Person[]> =>
  tx.select(columns).from(profiles).where(eq(id, wanted))

/** Returns a user and locks the row until the transaction ends. */
export async function lockPerson(tx: Tx, wanted: string): Promise<Person | undefined> {
  const [row] = await tx.select(columns).from(profiles).where(eq(id, wanted)).for('update')
  return row
}

/** Returns the id of the account with an e-mail address, ignoring case. */
export async function findIdByEmail(tx: Tx, address: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id })
    .from(profiles)
    .where(sql`lower(${email}) = lower(${address})`)
  return row?.id
}
