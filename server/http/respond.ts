import { z } from '@hono/zod-openapi'
import { apiError } from '#shared/contract/errors.ts'

/** Describes the response `{ data: row }` for the API description. */
export const one = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema: z.object({ data: schema }) } },
})

/** Describes the response `{ data: rows, count }` for the API description. `count` is the exact number of rows on all pages. */
export const many = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema: z.object({ data: z.array(schema), count: z.number().int() }) } },
})

/** Describes a request with a required JSON body for the API description. */
export const jsonBody = <T extends z.ZodType>(schema: T) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})

/**
 * Returns the path parameter `{id}` of a route. `what` is the name of the object, as in 'Document'. An id that is not a UUID
 * answers 404.
 */
export const idOf = (what: string) => ({ params: z.object({ id: z.uuid(`${what} not found`) }) })

/** Describes an error response, whose body is `apiError`, for the API description. */
export const refusal = (description: string) => ({ description, content: { 'application/json': { schema: apiError } } })

/** The error responses that every route can have. */
export const refusals = {
  401: refusal('No session'),
  404: refusal('Not found, or not visible to the caller'),
  422: refusal('Valid JSON but refused by a rule'),
} as const
