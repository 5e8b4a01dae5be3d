import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  duplicateGroups,
  GROUPS_PAGE_SIZE,
  type JoinInput,
  joinedPaper,
  joinResult,
} from '#shared/contract/duplicates.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, many, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

const duplicatesKey = (projectId: string) => ['duplicates', projectId]
const joinedKey = (documentId: string) => ['document', documentId, 'joined-papers']

/**
 * Query: a page of the groups of suspected duplicates. `at` is the page number, from 1. Server events about the project refetch
 * the page.
 */
export const duplicatesQuery = (projectId: string, at: number) =>
  queryOptions({
    queryKey: [...duplicatesKey(projectId), at],
    queryFn: ({ signal }) =>
      request(api.duplicates({ project_id: projectId, page: at, limit: GROUPS_PAGE_SIZE }), {
        schema: duplicateGroups,
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Query: the number of groups of suspected duplicates of a project. */
export const duplicateCountQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...duplicatesKey(projectId), 'count'],
    queryFn: async ({ signal }) =>
      (await request(api.duplicates({ project_id: projectId, limit: 0 }), { schema: duplicateGroups, signal })).count,
  })

/** Query: the papers that were joined (merged as duplicates) with a document. */
export const joinedPapersQuery = (documentId: string) =>
  queryOptions({
    queryKey: joinedKey(documentId),
    queryFn: ({ signal }) => request(api.documentJoinedPapers(documentId), { schema: many(joinedPaper), signal }),
  })

const refresh = (...keys: string[][]) =>
  Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/**
 * Joins duplicate papers: merges them into one paper and moves the others to the trash. The result contains the ids of the
 * joins for `undoJoins`. Then refetches the lists of duplicates and documents.
 */
export async function joinPapers(projectId: string, input: JoinInput) {
  const joined = await request(api.duplicatesJoin(), { method: 'POST', body: input, schema: one(joinResult) })
  await refresh(duplicatesKey(projectId), ['documents'], ['document', joined.document_id])
  return joined
}

/**
 * Undoes the joins (merges of duplicate papers) with these ids, the last one first, and refetches the lists that show their
 * papers.
 */
export async function undoJoins(ids: readonly string[]): Promise<void> {
  for (const id of ids.toReversed())
    await request(api.joinedPaperUndo(id), { method: 'POST', body: {}, schema: anything })
  await refresh(['duplicates'], ['documents'], ['document'], ['trash'])
}

const answer = (path: string) => async (projectId: string, ids: readonly string[]) => {
  await request(path, { method: 'POST', body: { ids }, schema: anything })
  await refresh(duplicatesKey(projectId))
}

/** Stores that the papers with these ids are all different papers. */
export const refuseDuplicates = answer(api.duplicatesRefuse())
/** Undoes `refuseDuplicates`: the papers can be suggested as duplicates again. */
export const acceptDuplicates = answer(api.duplicatesAccept())
/** Moves the group of suspected duplicates that consists of the papers with these ids to the end of the list of groups. */
export const postponeDuplicates = answer(api.duplicatesLater())
