import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import {
  bulkExclusion,
  excludedJournal,
  foundSource,
  journal,
  JOURNAL_PAGE_SIZE,
  JOURNAL_SEARCH_LIMIT,
  journalSummary,
  listedJournal,
  MANUALLY_EXCLUDED,
  SOURCES_PAGE_SIZE,
} from '#shared/contract/journals.ts'
import { previewArticle } from '#shared/contract/feeds.ts'
import type { Journal } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, many, one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'

const LIST = ['admin-journals'] as const
const EXCLUDED = ['admin-excluded-journals'] as const

/**
 * Query: a page of the journal catalog, or with `search` the first hundred journals that match. `at` is the page number, from
 * 1; a search does not use it. The previous page stays visible while the next one loads.
 */
export const catalogueQuery = (search: string, at: number) =>
  queryOptions({
    queryKey: [...LIST, 'list', search, at],
    queryFn: ({ signal }) =>
      request(
        api.adminCatalogue(search ? { search, limit: JOURNAL_SEARCH_LIMIT } : { page: at, limit: JOURNAL_PAGE_SIZE }),
        { schema: page(listedJournal), signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const summaryQuery = queryOptions({
  queryKey: [...LIST, 'summary'],
  queryFn: ({ signal }) => request(api.adminCatalogueSummary(), { schema: one(journalSummary), signal }),
  staleTime: 0,
})

/** Query: a journal of the catalog. */
export const journalQuery = (id: string) =>
  queryOptions({
    queryKey: [...LIST, 'one', id],
    queryFn: ({ signal }) => request(api.adminJournal(id), { schema: one(journal), signal }),
    staleTime: 0,
  })

/**
 * Query: the latest articles of a journal's feed. `feed`, the URL of the feed, is part of the key, so that the articles are
 * refetched when it changes. Do not use the query for a journal without a feed.
 */
export const articlesQuery = (id: string, feed: string | null) =>
  queryOptions({
    queryKey: [...LIST, 'articles', id, feed],
    queryFn: ({ signal }) => request(api.adminJournalArticles(id), { schema: many(previewArticle), signal }),
    retry: false,
  })

/**
 * Query: a page of the journals and other sources at OpenAlex whose name matches `search`. `at` is the page number, from 1.
 * Disabled if `search` is empty.
 */
export const sourcesQuery = (search: string, at: number) =>
  queryOptions({
    queryKey: ['admin-sources', search, at],
    queryFn: ({ signal }) =>
      request(api.adminSources({ search, page: at, limit: SOURCES_PAGE_SIZE }), { schema: page(foundSource), signal }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })

export const excludedQuery = queryOptions({
  queryKey: EXCLUDED,
  queryFn: ({ signal }) => request(api.adminExcluded(), { schema: many(excludedJournal), signal }),
  staleTime: 0,
})

/** Refetches all lists of journals, including the journals that projects can follow. */
export const refreshJournals = () => refresh(LIST, EXCLUDED, ...OTHER_LISTS)
const OTHER_LISTS = [['admin-sources'], ['journals'], ['feed', 'journals']]
const refresh = (...keys: (readonly string[])[]) =>
  Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))

/**
 * Fields of the journal form to send to the server, which completes and validates them. `give_back` lists edited fields that
 * updates from OpenAlex may change again.
 */
export type JournalFields = Partial<Record<keyof Journal | 'give_back', unknown>>

/** Mutation: adds a journal to the catalog. */
export const useAddJournal = () =>
  useMutation({
    mutationFn: (fields: JournalFields) =>
      request(api.adminCatalogue(), { method: 'POST', body: fields, schema: one(journal) }),
    onSuccess: refreshJournals,
  })

/**
 * Mutation: changes the journal `id` by a request to the API path `path`, for example to edit or refresh it. Resolves to the
 * changed journal and refetches the lists of journals.
 */
export const useJournalCall = (id: string, path: string, method: 'PATCH' | 'POST') =>
  useMutation({
    mutationFn: (fields: JournalFields | undefined) =>
      request(path, { method, ...(fields ? { body: fields } : {}), schema: one(journal) }),
    onSuccess: async (changed) => {
      queryClient.setQueryData(journalQuery(id).queryKey, changed)
      await refreshJournals()
    },
  })

/**
 * Mutation: makes a journal of one user visible to all users by adding it to the catalog. Returns the journal in the catalog,
 * whose id can differ from `id`.
 */
export const useAdoptJournal = (id: string) =>
  useMutation({
    mutationFn: (fields: { rss_feed_url: string }) =>
      request(api.adminJournalAdopt(id), { method: 'POST', body: fields, schema: one(journal) }),
    onSuccess: (adopted) => queryClient.setQueryData(journalQuery(adopted.id).queryKey, adopted),
  })

/** Mutation: deletes a journal from the catalog. */
export const useDeleteJournal = (id: string) =>
  useMutation({
    mutationFn: () => request(api.adminJournal(id), { method: 'DELETE', schema: anything }),
    onSuccess: async () => {
      await queryClient.cancelQueries({ queryKey: [...LIST, 'one', id] })
      // Without the journal itself: its page is still open and would get a 404.
      await refresh([...LIST, 'list'], [...LIST, 'summary'], ...OTHER_LISTS)
    },
  })

/** Mutation: excludes a journal, given by its OpenAlex ID, from the catalog and from the updates of the catalog. */
export const useExclude = () =>
  useMutation({
    mutationFn: (entry: { openalex_id: string; journal_name?: string; reason?: string }) =>
      request(api.adminExcluded(), { method: 'POST', body: entry, schema: one(excludedJournal) }),
    onSuccess: refreshJournals,
  })

/** Returns the entry of the exclusion list for a journal of the catalog. Its `openalex_id` is '' if the journal has none. */
export const exclusionOf = ({ openalex_id, name }: Journal) => ({
  openalex_id: openalex_id ?? '',
  journal_name: name,
  reason: MANUALLY_EXCLUDED,
})

/** Mutation: excludes several journals, given by their ids in the catalog. */
export const useBulkExclude = () =>
  useMutation({
    mutationFn: (ids: readonly string[]) =>
      request(api.adminExcludedBulk(), { method: 'POST', body: { journal_ids: ids }, schema: one(bulkExclusion) }),
    onSuccess: refreshJournals,
  })

/** Mutation: ends the exclusion of a journal. */
export const useInclude = () =>
  useMutation({
    mutationFn: (id: string) => request(api.adminExcludedOne(id), { method: 'DELETE', schema: anything }),
    onSuccess: refreshJournals,
  })
