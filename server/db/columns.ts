import { sql } from 'drizzle-orm'
import { customType, integer, jsonb, text } from 'drizzle-orm/pg-core'

/** A point in time as an ISO 8601 string in UTC with milliseconds. */
export const isoTime = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})

/**
 * The account that created the row, `owner_id` in the API; null after the account is deleted. Rows of a project belong to
 * the project. Rows without a project belong to this account, and row-level security compares it with the caller.
 */
export const ownerId = () => text('created_by')

/**
 * The columns of a row that several users or devices edit. A trigger increments `version` with each change of an editable field
 * and stores, in `field_versions`, the version at which each field last changed.
 */
export const versions = () => ({
  version: integer('version').notNull().default(1),
  field_versions: jsonb('field_versions').$type<Record<string, number>>().notNull().default({}),
})

/**
 * Returns the values as a list of SQL strings, for `in (…)` of a check constraint. The values must be constants of the program,
 * because they are not escaped.
 */
export const stringList = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '))
