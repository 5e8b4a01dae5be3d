import { z } from '@hono/zod-openapi'
import { defineRoute } from '#server/http/define-route.ts'
import { idOf, jsonBody, one, refusal, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { streamEvents, wantsStream } from '#server/http/stream-events.ts'
import { conversationMessage, libraryQuestion } from '#shared/contract/conversations.ts'
import { askProject, wholeAnswer } from './ask.ts'
import { stopAnswer } from './service.ts'

/** The routes that ask a question over a project and that stop an answer. */
export const messageRoutes = createRouter()
const tags = ['Conversations']

messageRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/conversations/{id}/messages',
    access: { role: 'ask', body: 'json', limit: 'ai', scope: 'ask' },
    tags,
    summary: 'Ask the papers of a project',
    request: { ...idOf('Conversation'), ...jsonBody(libraryQuestion) },
    responses: {
      200: {
        description:
          'The question with its answer. With `Accept: text/event-stream`, the events `papers`, `passages`, `checking`, `sentence`, `done` and `error`. The answer is also written and stored if the client disconnects',
        content: {
          'application/json': { schema: z.object({ data: conversationMessage }) },
          'text/event-stream': { schema: z.string() },
        },
      },
      409: refusal('Another answer of the caller is being written'),
      504: refusal('The model took longer than AI_ANSWER_SECONDS; the verified sentences are stored'),
      ...refusals,
    },
  }),
  async (c) => {
    const answer = await askProject(actorOf(c), c.req.valid('param').id, c.req.valid('json'))
    if (!wantsStream(c)) return c.json({ data: await wholeAnswer(answer) }, 200)
    return streamEvents(c, answer.events(), () => undefined)
  },
)

messageRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/messages/{id}/stop',
    access: { role: 'ask', body: 'none', limit: 'none', scope: 'ask' },
    tags,
    summary: 'Stop an answer; the verified sentences stay',
    request: idOf('Message'),
    responses: { 202: one(z.object({ id: z.uuid() }), 'The answer ends'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await stopAnswer(actorOf(c), id)
    return c.json({ data: { id } }, 202)
  },
)
