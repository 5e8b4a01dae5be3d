import { customType, text } from 'drizzle-orm/pg-core'

/** A point in time, written and read as an ISO 8601 string in UTC with milliseconds. */
export const isoTime = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})

/** The account that a row belongs to; row-level security compares it with the caller. */
export const ownerId = () => text('owner_id').notNull()
