import { z } from '@hono/zod-openapi'

/**
 * The query parameters `page` (counted from 1) and `limit` (rows per page) of a list. If both are missing, a short list returns
 * all rows, and a long list returns its own default number of rows.
 */
export const pageQuery = {
  page: z.coerce.number().int().min(1).max(1_000_000).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
}

/** Default rows per page. */
const PAGE_SIZE = 50

/**
 * Returns a page (counted from 1) of a list in memory, with the count of all rows. Without `page` and `limit`, returns all
 * rows.
 */
export function pageOf<T>(
  rows: T[],
  { page, limit }: { page?: number | undefined; limit?: number | undefined },
): { data: T[]; count: number } {
  if (page === undefined && limit === undefined) return { data: rows, count: rows.length }
  const size = limit ?? PAGE_SIZE
  const start = ((page ?? 1) - 1) * size
  return { data: rows.slice(start, start + size), count: rows.length }
}

/** The limit and the offset of a page, for SQL. If `limit` is undefined, all rows are selected. */
export interface Slice {
  limit: number | undefined
  offset: number
}

/**
 * Returns the limit and the offset for the query parameters of a list. Without `page` and `limit`, the slice selects all rows.
 */
export function sliceOf({ page, limit }: { page?: number | undefined; limit?: number | undefined }): Slice {
  if (page === undefined && limit === undefined) return { limit: undefined, offset: 0 }
  const size = limit ?? PAGE_SIZE
  return { limit: size, offset: ((page ?? 1) - 1) * size }
}

/** A page of a list with the number of rows on all pages. */
export interface Listed<T> {
  data: T[]
  count: number
}
