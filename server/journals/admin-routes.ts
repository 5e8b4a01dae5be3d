import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import {
  foundSource,
  journal,
  journalAdoption,
  JOURNAL_PAGE_SIZE,
  JOURNAL_SEARCH_LIMIT,
  journalInput,
  journalPatch,
  journalSummary,
  listedJournal,
  SOURCES_PAGE_SIZE,
} from '#shared/contract/journals.ts'
import { previewArticle } from '#shared/contract/feeds.ts'
import { adoptJournal } from './adopt-journal.ts'
import {
  addJournal,
  changeJournal,
  deleteJournal,
  describeCatalogue,
  findFeed,
  getJournal,
  listCatalogue,
  previewFeed,
  refreshJournal,
  searchOpenAlex,
} from './admin-service.ts'

export const adminRoutes = createRouter()
const tags = ['Administration']
const request = idOf('Journal')
const outside = { 502: refusal('The outside service failed'), 504: refusal('The outside service is slow') }
const page = z.coerce.number().int().min(1).max(1_000_000).default(1)
const listQuery = z.object({
  search: z.string().trim().max(200).default('').describe('in name, publisher or ISSN-L'),
  page,
  limit: z.coerce.number().int().min(1).max(JOURNAL_SEARCH_LIMIT).default(JOURNAL_PAGE_SIZE),
})
const sourcesQuery = z.object({
  search: z.string().trim().min(1, 'Enter words to search for.').max(200),
  page: z.coerce.number().int().min(1).max(500).default(1),
  limit: z.coerce.number().int().min(1).max(50).default(SOURCES_PAGE_SIZE),
})

adminRoutes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/journals',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: listQuery },
    responses: { 200: many(listedJournal, 'A page of the journals that are not excluded, by name'), ...refusals },
  }),
  async (c) => c.json(await listCatalogue(actorOf(c), c.req.valid('query')), 200),
)

adminRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/journals',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(journalInput),
    responses: {
      201: one(journal, 'The journal'),
      409: refusal('The catalog has the journal, or it is excluded'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await addJournal(actorOf(c), c.req.valid('json')) }, 201),
)

adminRoutes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/journals/summary',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: {
      200: one(journalSummary, 'The number of journals, and the time of the last change by OpenAlex'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await describeCatalogue(actorOf(c)) }, 200),
)

adminRoutes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/journals/{id}',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request,
    responses: { 200: one(journal, 'The journal'), ...refusals },
  }),
  async (c) => c.json({ data: await getJournal(actorOf(c), c.req.valid('param').id) }, 200),
)

adminRoutes.openapi(
  defineRoute({
    method: 'patch',
    path: '/admin/journals/{id}',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: { ...request, ...jsonBody(journalPatch) },
    responses: { 200: one(journal, 'The journal'), 409: refusal('Another journal has this OpenAlex ID'), ...refusals },
  }),
  async (c) => c.json({ data: await changeJournal(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

adminRoutes.openapi(
  defineRoute({
    method: 'delete',
    path: '/admin/journals/{id}',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request,
    responses: { 204: { description: 'Deleted' }, ...refusals },
  }),
  async (c) => {
    await deleteJournal(actorOf(c), c.req.valid('param').id)
    return c.body(null, 204)
  },
)

adminRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/journals/{id}/refresh',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request,
    responses: {
      200: one(journal, 'The journal with the current data of OpenAlex'),
      501: refusal('OpenAlex requires a key and none is configured'),
      ...outside,
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await refreshJournal(actorOf(c), c.req.valid('param').id) }, 200),
)

adminRoutes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/journals/{id}/articles',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request,
    responses: { 200: many(previewArticle, 'The first articles of the current feed'), ...outside, ...refusals },
  }),
  async (c) => {
    const data = await previewFeed(actorOf(c), c.req.valid('param').id)
    return c.json({ data, count: data.length }, 200)
  },
)

adminRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/journals/{id}/adopt',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: { ...request, ...jsonBody(journalAdoption) },
    responses: {
      200: one(journal, 'The journal of the catalog with the feed'),
      409: refusal('The journal is in the catalog, or the feed belongs to another journal'),
      ...outside,
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await adoptJournal(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

adminRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/journals/{id}/find-feed',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request,
    responses: {
      200: one(journal, 'The journal with the feed that its home page names'),
      409: refusal('The feed belongs to another journal'),
      ...outside,
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await findFeed(actorOf(c), c.req.valid('param').id) }, 200),
)

adminRoutes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/openalex-sources',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: sourcesQuery },
    responses: {
      200: many(foundSource, 'The sources found at OpenAlex, with their state in the catalog'),
      501: refusal('OpenAlex requires a key and none is configured'),
      ...outside,
      ...refusals,
    },
  }),
  async (c) => c.json(await searchOpenAlex(actorOf(c), c.req.valid('query')), 200),
)
