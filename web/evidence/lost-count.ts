import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '#shared/contract/paths.ts'
import { request } from '#web/lib/api.ts'

/**
 * The prefix of the query keys for the lost places of a project (quotes that the newest text of their paper does not contain).
 */
export const lostKey = (projectId: string) => ['lost-evidence', projectId]

const counted = z.object({ count: z.number().int() })

/**
 * Query: the number of lost places of a project, or of one of its documents. A lost place is a quote of an answer that the
 * newest text of its paper does not contain.
 */
export const lostCountQuery = (projectId: string, documentId?: string) =>
  queryOptions({
    queryKey: [...lostKey(projectId), 'count', documentId ?? 'all'],
    queryFn: async ({ signal }) =>
      (
        await request(
          api.lostEvidence(projectId, { limit: 1, ...(documentId === undefined ? {} : { document_id: documentId }) }),
          { schema: counted, signal },
        )
      ).count,
  })
