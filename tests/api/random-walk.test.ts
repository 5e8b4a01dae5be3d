import { afterAll, beforeAll, expect, it } from 'vitest'
import { walkAtRandom } from '#tests/helpers/random-walk.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'

/** The long walk is in tests/hostile. */
const ACTIONS = 300

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

it('300 random actions of five users in three projects read nothing that the roles forbid', async () => {
  const done = await walkAtRandom(server, 20_261_122, ACTIONS)
  expect(Object.keys(done).toSorted()).toEqual(['call', 'document', 'member', 'move', 'read'])
})
