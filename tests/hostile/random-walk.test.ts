import { afterAll, beforeAll, expect, it } from 'vitest'
import { walkAtRandom } from '#tests/helpers/random-walk.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'

const ACTIONS = 10_000
/** The seed of the random walk. WALK_SEED sets it, to repeat a failed walk; the message of a failure has its seed. */
const SEED = Number(process.env['WALK_SEED'] ?? 1)

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

it(`10,000 random actions of five users in three projects read nothing that the roles forbid (seed ${SEED})`, async () => {
  const done = await walkAtRandom(server, SEED, ACTIONS)
  expect(Object.values(done).reduce((sum, count) => sum + count, 0)).toBe(ACTIONS)
})
