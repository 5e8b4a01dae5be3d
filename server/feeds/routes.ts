import { z } from '@hono/zod-openapi'
import { pageOf, pageQuery } from '#server/http/list-page.ts'
import { idOf, jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import {
  articleMarks,
  feedArticlePage,
  feedArticlesQuery,
  feedTried,
  opmlResult,
  subscription,
  subscriptionKey,
} from '#shared/contract/feeds.ts'
import { exportOpml, importOpml } from './opml.ts'
import {
  listArticles,
  listSubscriptions,
  markArticle,
  subscribe,
  tryFeed,
  unmarkArticle,
  unsubscribe,
} from './service.ts'

export const routes = createRouter()
const tags = ['Feeds']
const ofProject = z.object({ project_id: z.uuid('Project not found') })
const article = idOf('Article')

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/feed/articles',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: feedArticlesQuery },
    responses: {
      200: {
        description: 'One page of the merged list, newest first',
        content: { 'application/json': { schema: feedArticlePage } },
      },
      ...refusals,
    },
  }),
  async (c) => c.json(await listArticles(actorOf(c), c.req.valid('query')), 200),
)

routes.openapi(
  defineRoute({
    method: 'put',
    path: '/feed/articles/{id}/marks',
    access: { role: 'user', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: { ...article, ...jsonBody(articleMarks) },
    responses: { 200: one(articleMarks, 'The stored marks'), ...refusals },
  }),
  async (c) => c.json({ data: await markArticle(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/feed/articles/{id}/marks',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: article,
    responses: { 200: one(articleMarks, 'Unread and without a star'), ...refusals },
  }),
  async (c) => {
    await unmarkArticle(actorOf(c), c.req.valid('param').id)
    return c.json({ data: { read: false, starred: false } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/subscriptions',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: ofProject.extend(pageQuery) },
    responses: { 200: many(subscription, 'The journals that the project follows'), ...refusals },
  }),
  async (c) => {
    const query = c.req.valid('query')
    return c.json(pageOf(await listSubscriptions(actorOf(c), query.project_id), query), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/subscriptions',
    access: { role: 'edit', body: 'json', limit: 'upload', scope: 'write' },
    tags,
    request: jsonBody(subscriptionKey),
    responses: { 201: one(subscription, 'The new subscription'), ...refusals },
  }),
  async (c) => c.json({ data: await subscribe(actorOf(c), c.req.valid('json')) }, 201),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/subscriptions',
    access: { role: 'edit', body: 'none', limit: 'none', scope: 'write' },
    tags,
    request: { query: subscriptionKey },
    responses: { 200: one(subscriptionKey, 'No longer followed'), ...refusals },
  }),
  async (c) => {
    const { project_id, journal_id } = c.req.valid('query')
    await unsubscribe(actorOf(c), project_id, journal_id)
    return c.json({ data: { project_id, journal_id } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/subscriptions/try',
    access: { role: 'edit', body: 'json', limit: 'upload', scope: 'write' },
    tags,
    request: jsonBody(subscriptionKey),
    responses: { 200: one(feedTried, 'The state of the feed after the read'), ...refusals },
  }),
  async (c) => c.json({ data: await tryFeed(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/subscriptions/opml',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: ofProject },
    responses: {
      200: { description: 'An OPML file', content: { 'text/x-opml': { schema: z.string() } } },
      ...refusals,
    },
  }),
  async (c) => {
    const text = await exportOpml(actorOf(c), c.req.valid('query').project_id)
    const headers = { 'content-type': 'text/x-opml; charset=utf-8' }
    return c.body(text, 200, { ...headers, 'content-disposition': 'attachment; filename="journals.opml"' })
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/subscriptions/opml',
    access: { role: 'edit', body: 'json', limit: 'upload', scope: 'write' },
    tags,
    request: jsonBody(ofProject.extend({ opml: z.string().min(1).max(1_000_000) })),
    responses: { 200: one(opmlResult, 'The result for each feed of the file'), ...refusals },
  }),
  async (c) => {
    const { project_id, opml } = c.req.valid('json')
    return c.json({ data: await importOpml(actorOf(c), project_id, opml) }, 200)
  },
)
