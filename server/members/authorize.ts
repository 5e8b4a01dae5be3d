import { AppError, notFound } from '#server/lib/errors.ts'
import { ROLE_TOO_SMALL, type ProjectRight } from '#shared/contract/roles.ts'

declare const authorized: unique symbol

/** A row in which the caller has the required right. Only `authorize` returns it. */
export type Authorized<T> = T & { readonly [authorized]: true }

/**
 * Returns `row` if the list `row.may` contains the right. Throws 'not_found' if the row is undefined or the caller may not read
 * it, and 'role' if the caller may read it but lacks the right. `what` is the name of the object in messages, such as
 * 'Document'.
 */
export function authorize<T extends { may: readonly ProjectRight[] }>(
  row: T | undefined,
  right: ProjectRight,
  what: string,
): Authorized<T> {
  if (!row?.may.includes('read')) throw notFound(what)
  if (!row.may.includes(right)) throw new AppError('role', ROLE_TOO_SMALL)
  return row as Authorized<T>
}
