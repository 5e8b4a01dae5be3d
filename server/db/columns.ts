import { customType, text } from 'drizzle-orm/pg-core'

/** A point in time as an ISO 8601 string in UTC with milliseconds. */
export const isoTime = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => new Date(value).toISOString(),
})

/** The account that owns the row; row-level security compares it with the caller. */
export const ownerId = () => text('owner_id').notNull()
