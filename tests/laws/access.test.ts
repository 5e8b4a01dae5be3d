import { OpenAPIHono } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import { createApp } from '#server/app.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { access, accessTable } from '#server/http/route-access.ts'
import { accessPage } from './access-page.ts'
import { EXPECTED_ACCESS } from './expected-access.ts'

const table = accessTable(createApp())

describe('access rules', () => {
  it('Every route has the expected role', () => {
    const expected = Object.entries(EXPECTED_ACCESS).flatMap(([role, rows]) =>
      rows.flatMap((row) => {
        const [path, methods = ''] = row.split(': ')
        return methods.split(' ').map((method) => [`${method} ${path}`, role] as const)
      }),
    )
    expect(Object.fromEntries(Object.entries(table).map(([route, { role }]) => [route, role]))).toEqual(
      Object.fromEntries(expected),
    )
    expect(expected.length).toBeGreaterThan(150)
  })

  it('Every route under /api/admin is for admins only', () => {
    const open = Object.entries(table).filter(([route, { role }]) => route.includes(' /api/admin/') && role !== 'admin')
    expect(open).toEqual([])
  })

  it('A rate limit counts every route that receives a file', () => {
    const files = Object.values(table).filter(({ body }) => body === 'file')
    expect(files.length).toBeGreaterThanOrEqual(5)
    expect(files.map(({ limit }) => limit)).toEqual(files.map(() => 'upload'))
  })

  it('docs/access.md is current; `npm run access` writes it', async () => {
    await expect(accessPage(table)).toMatchFileSnapshot('../../docs/access.md')
  })
})

describe('a route without an access rule', () => {
  const open = access({ role: 'visitor', body: 'none', limit: 'none', scope: 'none' })

  it.each([
    ['a plain route', (app: OpenAPIHono) => app.get('/notes', (c) => c.text('')), 'GET /notes'],
    ['a route for all methods', (app: OpenAPIHono) => app.all('/notes/*', (c) => c.text('')), 'ALL /notes/*'],
    [
      'a route behind a middleware of its own',
      (app: OpenAPIHono) =>
        app.post(
          '/notes',
          (_, next) => next(),
          (c) => c.text(''),
        ),
      'POST /notes',
    ],
    [
      'the other method of a path with a rule',
      (app: OpenAPIHono) => app.get('/notes', open, (c) => c.text('')).post('/notes', (c) => c.text('')),
      'POST /notes',
    ],
    [
      'a room with a middleware for every path',
      (app: OpenAPIHono) => app.get('/notes', open, (c) => c.text('')).use('*', (_, next) => next()),
      'ALL /*',
    ],
  ])('An application does not start with %s', (_, add, name) => {
    const app = new OpenAPIHono()
    app.use('*', (_context, next) => next())
    app.get('/healthz', open, (c) => c.text(''))
    expect(Object.keys(accessTable(app as never))).toEqual(['GET /healthz'])
    add(app)
    expect(() => accessTable(app as never)).toThrow(`see server/http/define-route.ts): ${name}`)
  })

  it('A route is not defined with another kind of body than its schema', () => {
    const define = (body: 'json' | 'file') => () =>
      defineRoute({
        method: 'post',
        path: '/notes',
        access: { role: 'user', body, limit: 'none', scope: 'none' },
        request: { body: { content: { 'application/json': { schema: { type: 'object' } } } } },
        responses: {},
      })
    expect(define('json')).not.toThrow()
    expect(define('file')).toThrow("post /notes: body 'file' but the schema has 'application/json'")
  })
})
