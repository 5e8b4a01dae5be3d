import { expect, it } from 'vitest'
import { walkAtRandom } from '#tests/helpers/random-walk.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/** Number of actions. A longer walk is in tests/hostile. */
const ACTIONS = 300

const server = sharedServer()

it('300 random actions of five users in three projects read nothing that the roles forbid (SHR-02, SHR-31)', async () => {
  const done = await walkAtRandom(server, 20_261_122, ACTIONS)
  expect(Object.keys(done).toSorted()).toEqual([
    'answer',
    'call',
    'conversation',
    'document',
    'key',
    'member',
    'move',
    'object',
    'read',
    'search',
  ])
})
