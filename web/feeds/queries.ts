import { keepPreviousData, type Query, queryOptions, useMutation } from '@tanstack/react-query'
import { decodeText } from '#shared/text/decode-text.ts'
import { isDoi } from '#shared/contract/doi.ts'
import { articleMarks, feedArticlePage, feedTried, NO_LINK, opmlResult, subscription } from '#shared/contract/feeds.ts'
import type { ArticleMarks, FeedArticle, FeedArticlePage, Subscription } from '#shared/contract/feeds.ts'
import { journalOption } from '#shared/contract/journals.ts'
import { addedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, many, messageOf, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { articleParams } from './search.ts'
import type { FeedSearch } from './search.ts'

/** Polling intervals in ms: SOON_MS while a new feed is read for the first time, otherwise LATER_MS. */
const SOON_MS = 1000
const LATER_MS = 60_000
const JOURNALS_SHOWN = 200

/** Returns true if the feed of a new subscription has not been read yet and no attempt has failed. */
export const isWaiting = (one: Subscription) => !one.last_fetched_at && !one.last_error

/** Query: the journals that a project follows. */
export const subscriptionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['feed', 'subscriptions', projectId],
    queryFn: ({ signal }) =>
      request(api.subscriptions({ project_id: projectId }), { schema: many(subscription), signal }),
    refetchInterval: ({ state }) => (state.data?.some(isWaiting) ? SOON_MS : LATER_MS),
  })

/** Query: the journals that have a feed and whose name contains `search`; at most 200. */
export const feedJournalsQuery = (search: string) =>
  queryOptions({
    queryKey: ['feed', 'journals', search],
    queryFn: ({ signal }) =>
      request(api.journals({ search, has_feed: 'true', limit: JOURNALS_SHOWN }), {
        schema: many(journalOption),
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Query: a page of the articles of a project that match the search parameters. */
export const articlesQuery = (projectId: string, search: FeedSearch) =>
  queryOptions({
    queryKey: ['feed', 'articles', projectId, search],
    queryFn: ({ signal }) =>
      request(api.feedArticles(articleParams(projectId, search)), { schema: feedArticlePage, signal }),
    placeholderData: (before, query) => (query?.queryKey[2] === projectId ? before : undefined),
  })

const refresh = () =>
  Promise.all([['feed'], ['projects']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
/** Refetches the articles after a feed was read. */
export const refreshArticles = () => queryClient.invalidateQueries({ queryKey: ['feed', 'articles'] })

/** Mutation: follows or unfollows a journal. The changes of one journal are sent one after the other. */
export const useFollow = (projectId: string, journalId: string) =>
  useMutation({
    scope: { id: `follow ${projectId} ${journalId}` },
    mutationFn: (follow: boolean): Promise<unknown> =>
      follow
        ? request(api.subscriptions(), {
            method: 'POST',
            body: { project_id: projectId, journal_id: journalId },
            schema: one(subscription),
          })
        : request(api.subscriptions({ project_id: projectId, journal_id: journalId }), {
            method: 'DELETE',
            schema: anything,
          }),
    onError: (error, follow) =>
      toast({
        title: follow ? 'Subscription Error' : 'Unsubscription Error',
        description: messageOf(error),
        destructive: true,
      }),
    onSettled: refresh,
  })

/**
 * Mutation: lets the server read the feed of a journal at once. Resolves after the attempt with the new state of the feed, also
 * if the feed could not be read (`last_error`).
 */
export const useTryFeed = (projectId: string) =>
  useMutation({
    mutationFn: (journalId: string) =>
      request(api.subscriptionTry(), {
        method: 'POST',
        body: { project_id: projectId, journal_id: journalId },
        schema: one(feedTried),
      }),
    onSettled: refresh,
  })

const changeArticle = (id: string, change: Partial<FeedArticle>) =>
  void queryClient.setQueriesData<FeedArticlePage>(
    { queryKey: ['feed', 'articles'] },
    (before) => before && { ...before, data: before.data.map((one) => (one.id === id ? { ...one, ...change } : one)) },
  )

/** Mutation: adds an article to the project as a document. The server searches for its open-access PDF. */
export const useAddToProject = (projectId: string) =>
  useMutation({
    mutationFn: ({ title, doi, journal_name, pubDate, dated, description, link }: FeedArticle) =>
      request(api.papers(), {
        method: 'POST',
        body: {
          project_id: projectId,
          title,
          doi: doi && isDoi(doi) ? doi : null,
          journal: journal_name,
          // An undated article has the time of its first fetch, which is not a publication date.
          date: dated ? pubDate.slice(0, 10) : null,
          abstract: description || null,
          link: link === NO_LINK ? null : link,
        },
        schema: one(addedPaper),
      }),
    onSuccess: ({ document, created, job }, { id, title }) => {
      changeArticle(id, { document_id: document.id })
      toast({
        title: created ? 'Added to project' : 'The project already has this paper',
        description: job ? `${title}. The server is searching for its open-access PDF.` : title,
      })
      for (const key of ['documents', 'document-filters', 'projects'])
        void queryClient.invalidateQueries({ queryKey: [key] })
    },
    onError: (error) =>
      toast({ title: 'The paper could not be added', description: messageOf(error), destructive: true }),
  })

/**
 * Mutation: sets or removes the marks of an article (read, starred). Optimistic; reverted when the server refuses. Marks of one
 * article are sent one after the other.
 */
export const useMark = (id: string) => {
  const mutationKey = ['article-marks', id]
  return useMutation({
    scope: { id: `article-marks ${id}` },
    mutationKey,
    mutationFn: (marks: ArticleMarks) =>
      request(api.feedArticleMarks(id), { method: 'PUT', body: marks, schema: one(articleMarks) }),
    onMutate: async (marks) => {
      // A refetch that began before the change would bring the former marks back. A first fetch continues.
      const refetches = {
        queryKey: ['feed', 'articles'],
        predicate: ({ state }: Query) => state.data !== undefined && state.fetchStatus === 'fetching',
      }
      const isRefetching = queryClient.isFetching(refetches) > 0
      await queryClient.cancelQueries(refetches)
      changeArticle(id, marks)
      return { isRefetching }
    },
    onSuccess: (saved) => {
      // Until the last change is stored, the list shows the marks that the user chose last.
      if (queryClient.isMutating({ mutationKey }) === 1) changeArticle(id, saved)
    },
    onError: (error) => {
      toast({ title: 'The mark could not be saved', description: messageOf(error), destructive: true })
      void refreshArticles()
    },
    onSettled: (_saved, _error, _marks, before) => {
      if (before?.isRefetching) void refreshArticles()
    },
  })
}

/**
 * Mutation: adds a journal with its feed to the catalog. If the catalog has a journal of this name without a feed, this journal
 * gets the feed. `url` is the URL of the feed, or of a home page on which the server finds the feed.
 */
export const useAddJournal = () =>
  useMutation({
    mutationFn: (input: { name: string; url: string }) =>
      request(api.journals(), { method: 'POST', body: input, schema: one(journalOption) }),
    onSuccess: refresh,
  })

/** Key of the mutation that imports an OPML file, and of its cached result if feeds of the file could not be read. */
export const opmlKey = (projectId: string) => ['feed-opml', projectId]

/** Mutation: follows the journals of an OPML file. */
export const useImportOpml = (projectId: string) =>
  useMutation({
    mutationKey: opmlKey(projectId),
    mutationFn: async (file: File) =>
      request(api.subscriptionsOpml(), {
        method: 'POST',
        body: { project_id: projectId, opml: decodeText(new Uint8Array(await file.arrayBuffer()), '') },
        schema: one(opmlResult),
      }),
    onSuccess: refresh,
  })
