import { z } from '@hono/zod-openapi'
import { defineRoute } from '#server/http/define-route.ts'
import { disposition } from '#server/http/disposition.ts'
import { pageQuery, sliceOf } from '#server/http/list-page.ts'
import { idOf, jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import {
  answerFeedback,
  conversation,
  conversationEdit,
  conversationWithMessages,
  conversationFormat,
  newConversation,
  readPassage,
} from '#shared/contract/conversations.ts'
import { changeConversation, deleteConversation } from './change-conversation.ts'
import { exportConversation } from './export-conversation.ts'
import { messageRoutes } from './message-routes.ts'
import {
  createConversation,
  getConversation,
  giveFeedback,
  listConversations,
  listDocumentConversations,
  listReadPassages,
  withdrawFeedback,
} from './service.ts'

export const routes = createRouter()
routes.route('/', messageRoutes)
const tags = ['Conversations']
const page = { query: z.object(pageQuery) }
const read = { role: 'read', body: 'none', limit: 'none', scope: 'read' } as const

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}/conversations',
    access: read,
    tags,
    summary: 'List the conversations over a project',
    request: { ...idOf('Project'), ...page },
    responses: { 200: many(conversation, 'Newest first: those of the caller, and shared ones'), ...refusals },
  }),
  async (c) => c.json(await listConversations(actorOf(c), c.req.valid('param').id, sliceOf(c.req.valid('query'))), 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents/{id}/conversations',
    access: read,
    tags,
    summary: 'List the conversations about a paper',
    request: { ...idOf('Document'), ...page },
    responses: { 200: many(conversation, 'Newest first: those of the caller, and shared ones'), ...refusals },
  }),
  async (c) =>
    c.json(await listDocumentConversations(actorOf(c), c.req.valid('param').id, sliceOf(c.req.valid('query'))), 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/projects/{id}/conversations',
    access: { role: 'ask', body: 'json', limit: 'none', scope: 'ask' },
    tags,
    summary: 'Create a conversation over a project',
    request: { ...idOf('Project'), ...jsonBody(newConversation) },
    responses: { 201: one(conversation, 'The conversation, without questions'), ...refusals },
  }),
  async (c) =>
    c.json({ data: await createConversation(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 201),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/conversations/{id}',
    access: read,
    tags,
    summary: 'Read a conversation',
    request: idOf('Conversation'),
    responses: { 200: one(conversationWithMessages, 'With its questions and answers, oldest first'), ...refusals },
  }),
  async (c) => c.json({ data: await getConversation(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/conversations/{id}/export',
    access: { ...read, limit: 'export' },
    tags,
    summary: 'Export a conversation as Markdown, DOCX or JSON',
    request: { ...idOf('Conversation'), query: z.object({ format: conversationFormat }) },
    responses: {
      200: {
        description: 'The questions, the answers, and the sources with their quotes',
        content: { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } },
      },
      ...refusals,
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    const { name, type, body } = await exportConversation(actorOf(c), id, c.req.valid('query').format)
    return c.body(body, 200, {
      'content-type': type,
      'content-disposition': disposition('attachment', name),
      'cache-control': 'no-store',
    })
  },
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/conversations/{id}',
    access: { role: 'ask', body: 'json', limit: 'none', scope: 'ask' },
    tags,
    summary: 'Rename or share a conversation; its author only. An owner of the project can hide it',
    request: { ...idOf('Conversation'), ...jsonBody(conversationEdit) },
    responses: { 200: one(conversation, 'The changed conversation'), ...refusals },
  }),
  async (c) =>
    c.json({ data: await changeConversation(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/conversations/{id}',
    access: { role: 'owner', body: 'none', limit: 'none', scope: 'ask' },
    tags,
    summary: 'Delete a conversation; its author, or an owner of the project if it is shared',
    request: idOf('Conversation'),
    responses: { 204: { description: 'Deleted' }, ...refusals },
  }),
  async (c) => {
    await deleteConversation(actorOf(c), c.req.valid('param').id)
    return c.body(null, 204)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/messages/{id}/passages',
    access: read,
    tags,
    summary: 'List the passages that the model read for an answer',
    request: idOf('Message'),
    responses: { 200: many(readPassage, 'Best first'), ...refusals },
  }),
  async (c) => {
    const data = await listReadPassages(actorOf(c), c.req.valid('param').id)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'put',
    path: '/messages/{id}/feedback',
    access: { role: 'read', body: 'json', limit: 'none', scope: 'ask' },
    tags,
    summary: 'Store feedback about an answer',
    request: { ...idOf('Message'), ...jsonBody(answerFeedback) },
    responses: { 200: one(answerFeedback, 'The stored feedback of the caller'), ...refusals },
  }),
  async (c) => c.json({ data: await giveFeedback(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/messages/{id}/feedback',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'ask' },
    tags,
    summary: 'Delete the feedback about an answer',
    request: idOf('Message'),
    responses: { 204: { description: 'Withdrawn' }, ...refusals },
  }),
  async (c) => {
    await withdrawFeedback(actorOf(c), c.req.valid('param').id)
    return c.body(null, 204)
  },
)
