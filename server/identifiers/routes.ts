import { streamSSE } from 'hono/streaming'
import { asAppError } from '#server/http/error-response.ts'
import { jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { z } from '@hono/zod-openapi'
import {
  addedPapers,
  type LookedUpLine,
  lookedUpLines,
  lookUpInput,
  papersInput,
} from '#shared/contract/identifiers.ts'
import { addPapers, lookUpLines } from './service.ts'

export const routes = createRouter()
const tags = ['Documents']

/** Interval of comment lines in the stream. They keep it open, because proxies close idle connections. */
const HEARTBEAT_MS = 15_000

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/identifiers/look-up',
    access: { role: 'edit', body: 'json', limit: 'look-up', scope: 'write' },
    tags,
    summary: 'Find papers by DOI, PMID, PMCID, arXiv id, ISBN or address without storing them',
    request: jsonBody(lookUpInput),
    responses: {
      200: {
        description:
          'The results in the order of the lines. With `Accept: text/event-stream`, each result is an event `line` as soon as it is known, and the last event is `done`, or `error` with a message',
        content: {
          'application/json': { schema: lookedUpLines },
          'text/event-stream': { schema: z.string() },
        },
      },
      ...refusals,
    },
  }),
  async (c) => {
    const disconnect = new AbortController()
    const signal = AbortSignal.any([disconnect.signal, c.req.raw.signal])
    const results = lookUpLines(actorOf(c), c.req.valid('json'), signal)
    if (!c.req.header('accept')?.includes('text/event-stream')) {
      const data: LookedUpLine[] = []
      for await (const result of results) data[result.line] = result
      return c.json({ data, count: data.length }, 200)
    }
    // Errors before the first event are answered with their own status.
    let next = await results.next()
    return streamSSE(c, async (stream) => {
      stream.onAbort(() => disconnect.abort())
      const heartbeat = setInterval(() => void stream.write(': waiting\n\n'), HEARTBEAT_MS)
      try {
        for (; !next.done && !stream.aborted; next = await results.next())
          await stream.writeSSE({ event: 'line', data: JSON.stringify(next.value) })
        await stream.writeSSE({ event: 'done', data: '{}' })
      } catch (error) {
        if (signal.aborted) return
        await stream.writeSSE({ event: 'error', data: JSON.stringify({ message: asAppError(error, c).message }) })
      } finally {
        clearInterval(heartbeat)
        disconnect.abort()
        await results.return(undefined)
      }
    })
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/identifiers/papers',
    access: { role: 'edit', body: 'json', limit: 'upload', scope: 'write' },
    tags,
    summary: 'Add papers without a file by their references, as the look-up of identifiers returns them',
    request: jsonBody(papersInput),
    responses: { 200: one(addedPapers, 'The documents of the papers, in the order of the request'), ...refusals },
  }),
  async (c) => c.json({ data: await addPapers(actorOf(c), c.req.valid('json')) }, 200),
)
