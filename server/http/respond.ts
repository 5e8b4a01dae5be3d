import { z } from '@hono/zod-openapi'
import { apiError } from '#shared/contract/errors.ts'

/** `{ data: row }`, as a response of the OpenAPI document. */
export const one = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema: z.object({ data: schema }) } },
})

/** `{ data: rows, count }` as a response of the API description. `count` is the exact number of rows on all pages. */
export const many = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema: z.object({ data: z.array(schema), count: z.number().int() }) } },
})

/** A JSON body. */
export const jsonBody = <T extends z.ZodType>(schema: T) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})

/** Path parameter `{id}` for `what` (as in 'Document'). An id that is not a UUID answers 404. */
export const idOf = (what: string) => ({ params: z.object({ id: z.uuid(`${what} not found`) }) })

/** An error response with the product's error body. */
export const refusal = (description: string) => ({ description, content: { 'application/json': { schema: apiError } } })

/** The error responses of every route. */
export const refusals = {
  401: refusal('No session'),
  404: refusal('Not found, or not visible to the caller'),
  422: refusal('Valid JSON but refused by a rule'),
} as const
