import { defineRoute } from '#server/http/define-route.ts'
import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import {
  librarySearch,
  librarySearchQuery,
  notVectorized,
  searchFilters,
  searchScopeQuery,
} from '#shared/contract/library-search.ts'
import { newSavedSearch, savedSearch, savedSearchEdit } from '#shared/contract/saved-searches.ts'
import { deleteSavedSearch, editSavedSearch, listSavedSearches, saveSearch } from './saved-searches.ts'
import { listNotSearchedByMeaning, listSearchFilters, searchLibrary } from './service.ts'

export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/search',
    summary: 'Search the passages or papers of several projects by words and meaning',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags: ['Search'],
    request: { query: librarySearchQuery },
    responses: {
      200: {
        description: 'One page of passages or papers, best first',
        content: { 'application/json': { schema: librarySearch } },
      },
      ...refusals,
    },
  }),
  async (c) => c.json(await searchLibrary(actorOf(c), c.req.valid('query'), c.req.raw.signal), 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/search/filters',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags: ['Search'],
    request: { query: searchScopeQuery },
    responses: { 200: one(searchFilters, 'The filter options for a search'), ...refusals },
  }),
  async (c) => c.json({ data: await listSearchFilters(actorOf(c), c.req.valid('query')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/search/not-vectorized',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags: ['Search'],
    request: { query: searchScopeQuery },
    responses: {
      200: {
        description: 'Papers that are not found by meaning yet',
        content: { 'application/json': { schema: notVectorized } },
      },
      ...refusals,
    },
  }),
  async (c) => c.json(await listNotSearchedByMeaning(actorOf(c), c.req.valid('query')), 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}/saved-searches',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags: ['Search'],
    request: idOf('Project'),
    responses: { 200: many(savedSearch, "The caller's saved searches, oldest first"), ...refusals },
  }),
  async (c) => {
    const data = await listSavedSearches(actorOf(c), c.req.valid('param').id)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/projects/{id}/saved-searches',
    access: { role: 'read', body: 'json', limit: 'none', scope: 'write' },
    tags: ['Search'],
    request: { ...idOf('Project'), ...jsonBody(newSavedSearch) },
    responses: { 201: one(savedSearch, 'The saved search, for the caller only'), ...refusals },
  }),
  async (c) => c.json({ data: await saveSearch(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 201),
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/saved-searches/{id}',
    access: { role: 'owner', body: 'json', limit: 'none', scope: 'write' },
    tags: ['Search'],
    request: { ...idOf('Saved search'), ...jsonBody(savedSearchEdit) },
    responses: { 200: one(savedSearch, 'The changed search'), ...refusals },
  }),
  async (c) => c.json({ data: await editSavedSearch(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/saved-searches/{id}',
    access: { role: 'owner', body: 'none', limit: 'none', scope: 'write' },
    tags: ['Search'],
    request: idOf('Saved search'),
    responses: { 200: one(z.object({ id: z.uuid() }), 'The id of the deleted search'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await deleteSavedSearch(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)
