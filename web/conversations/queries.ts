import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  type answerFeedback,
  type Conversation,
  conversation,
  type conversationEdit,
  type ConversationMessage,
  type ConversationWithMessages,
  conversationWithMessages,
  readPassage,
} from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, many, one, page, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { readNotVectorized } from '#web/search/index.ts'

const PAGE_SIZE = 30
/** Poll interval for an answer whose stream this page does not read, for example after a reload, in ms. */
const SOON_MS = 1000

/** The conversations over a project that the user sees, newest first. */
export const conversationsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['conversations', 'project', projectId],
    queryFn: ({ pageParam, signal }) =>
      request(api.conversations(projectId, { page: pageParam, limit: PAGE_SIZE }), {
        schema: page(conversation),
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ count }, _, last) => (last * PAGE_SIZE < count ? last + 1 : null),
  })

/** A conversation with its questions and answers. */
export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['conversation', id],
    queryFn: ({ signal }) => request(api.conversation(id), { schema: one(conversationWithMessages), signal }),
    refetchInterval: ({ state }) => (state.data?.messages.at(-1)?.status === 'answering' ? SOON_MS : false),
  })

/** Query: the passages of papers that the model received for an answer, best first. */
export const passagesQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['answer-passages', messageId],
    queryFn: ({ signal }) => request(api.answerPassages(messageId), { schema: many(readPassage), signal }),
  })

/** Query: the conversations about a document, newest first. Contains only those that the user may see, and at most 100. */
export const documentConversationsQuery = (documentId: string) =>
  queryOptions({
    queryKey: ['conversations', 'document', documentId],
    queryFn: ({ signal }) =>
      request(api.documentConversations(documentId, { limit: 100 }), { schema: many(conversation), signal }),
    // A chat adds its turns to the list while the screen is open.
    staleTime: 0,
  })

/** Refetches the lists of conversations, for example after a conversation was created or renamed. */
export const refreshConversations = () => queryClient.invalidateQueries({ queryKey: ['conversations'] })

/** Creates a conversation over a project. Its first question becomes its title. */
export const createConversation = (projectId: string) =>
  request(api.conversations(projectId), { method: 'POST', body: {}, schema: one(conversation) })

/** Deletes a conversation. */
export const deleteConversation = (id: string) =>
  request(api.conversation(id), { method: 'DELETE', schema: anything }).then(() =>
    queryClient.removeQueries({ queryKey: conversationQuery(id).queryKey }),
  )

/** Mutation: changes the title or the visibility of a conversation. */
export const useEditConversation = ({ id }: Pick<Conversation, 'id'>) =>
  useMutation({
    mutationFn: (edit: z.infer<typeof conversationEdit>) =>
      request(api.conversation(id), { method: 'PATCH', body: edit, schema: one(conversation) }),
    onSuccess: ({ title, visibility, version }) =>
      queryClient.setQueryData(conversationQuery(id).queryKey, (old) => old && { ...old, title, visibility, version }),
    onError: () => queryClient.invalidateQueries({ queryKey: conversationQuery(id).queryKey }),
    onSettled: refreshConversations,
  })

/** Ends an answer that is being written. The sentences that the server has verified so far stay in the answer. */
export const stopAnswer = (messageId: string) =>
  request(api.answerStop(messageId), { method: 'POST', schema: anything })

/** Stores or removes (null) the feedback of the user about an answer, also in the loaded conversation. */
export async function sendFeedback(messageId: string, feedback: z.infer<typeof answerFeedback> | null): Promise<void> {
  await request(api.answerFeedback(messageId), {
    schema: anything,
    ...(feedback ? { method: 'PUT', body: feedback } : { method: 'DELETE' }),
  })
  queryClient.setQueriesData<ConversationWithMessages>({ queryKey: ['conversation'] }, (old) => {
    const message = old?.messages.find(({ id }) => id === messageId)
    return old && message ? { ...old, messages: withMessage(old, { ...message, feedback }) } : old
  })
}

/**
 * Replaces a message (a question with its answer) in the loaded conversation, or appends it if it is new. Does nothing if the
 * conversation is not loaded.
 */
export const storeMessage = (conversationId: string, message: ConversationMessage) =>
  queryClient.setQueryData(
    conversationQuery(conversationId).queryKey,
    (old) => old && { ...old, messages: withMessage(old, message) },
  )

function withMessage({ messages }: ConversationWithMessages, message: ConversationMessage): ConversationMessage[] {
  return messages.some(({ id }) => id === message.id)
    ? messages.map((old) => (old.id === message.id ? message : old))
    : [...messages, message]
}

/**
 * Query: the papers of a project that have no vectors, as a list of ids, and the number of the papers of the project that have
 * vectors. The list contains only papers that the user may edit.
 */
export const notVectorizedQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['documents', 'not-vectorized', projectId],
    queryFn: () => readNotVectorized({ project_id: projectId, scope: 'project' }),
  })
