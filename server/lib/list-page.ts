import { z } from '@hono/zod-openapi'

/** Which part of a list is asked for. Lists that are short by nature come whole where neither is given. */
export const pageQuery = {
  page: z.coerce.number().int().min(1).max(1_000_000).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
}

/** Rows of a page that was asked for without a limit. */
const PAGE_SIZE = 50

/** A page of a list that was read whole, with the count of all of it. */
export function pageOf<T>(
  rows: T[],
  { page, limit }: { page?: number | undefined; limit?: number | undefined },
): { data: T[]; count: number } {
  if (page === undefined && limit === undefined) return { data: rows, count: rows.length }
  const size = limit ?? PAGE_SIZE
  const start = ((page ?? 1) - 1) * size
  return { data: rows.slice(start, start + size), count: rows.length }
}

/** The rows of a page for SQL; `limit` undefined takes all of them. */
export interface Slice {
  limit: number | undefined
  offset: number
}

/** The slice that the query of a list asks for: everything where it names neither page nor limit. */
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
