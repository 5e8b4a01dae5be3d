import { z } from '@hono/zod-openapi'
import { streamSSE } from 'hono/streaming'
import { idOf, jsonBody, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { chatAnswer, chatQuestion } from '#shared/contract/chat.ts'
import { answerQuestion, answerWhole } from './service.ts'

export const routes = createRouter()

/** Proxies close idle connections. A comment line keeps the stream open. */
const HEARTBEAT_MS = 15_000

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/{id}/chat',
    access: { role: 'ask', body: 'json', limit: 'ai', scope: 'ask' },
    tags: ['Documents'],
    request: { ...idOf('Document'), ...jsonBody(chatQuestion) },
    responses: {
      200: {
        description: 'The answer. With `Accept: text/event-stream`, the events `sources`, `delta`, `done` and `error`',
        content: {
          'application/json': { schema: z.object({ data: chatAnswer }) },
          'text/event-stream': { schema: z.string() },
        },
      },
      ...refusals,
    },
  }),
  async (c) => {
    const actor = actorOf(c)
    const { id } = c.req.valid('param')
    const { question } = c.req.valid('json')
    if (!c.req.header('accept')?.includes('text/event-stream'))
      return c.json({ data: await answerWhole(actor, id, question, c.req.raw.signal) }, 200)
    const gone = new AbortController()
    const events = answerQuestion(actor, id, question, AbortSignal.any([gone.signal, c.req.raw.signal]))
    // Errors before the first event are answered with their own status.
    let next = await events.next()
    return streamSSE(c, async (stream) => {
      stream.onAbort(() => gone.abort())
      const heartbeat = setInterval(() => void stream.write(': waiting\n\n'), HEARTBEAT_MS)
      try {
        for (; !next.done && !stream.aborted; next = await events.next()) {
          await stream.writeSSE({ event: next.value.event, data: JSON.stringify(next.value.data) })
        }
      } finally {
        clearInterval(heartbeat)
        gone.abort()
        await events.return(undefined)
      }
    })
  },
)
