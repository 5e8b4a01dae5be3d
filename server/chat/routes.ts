import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { streamEvents, wantsStream } from '#server/http/stream-events.ts'
import { chatAnswer, chatQuestion } from '#shared/contract/chat.ts'
import { answerQuestion, answerWhole } from './service.ts'

export const routes = createRouter()

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
    const request = c.req.valid('json')
    if (!wantsStream(c)) return c.json({ data: await answerWhole(actor, id, request, c.req.raw.signal) }, 200)
    const disconnect = new AbortController()
    const events = answerQuestion(actor, id, request, AbortSignal.any([disconnect.signal, c.req.raw.signal]))
    return streamEvents(c, events, () => disconnect.abort())
  },
)
