import { expect, it } from 'vitest'
import { refuseSharedSessions } from './sessions.ts'

/** Returns two connections. `choose` returns the session (a process id) in which the next statement of a connection runs. */
function connections(choose: (connection: 'one' | 'other') => number) {
  const connection = (name: 'one' | 'other') => ({ query: async () => ({ rows: [{ pid: choose(name) }] }) })
  return [connection('one'), connection('other')] as const
}
const refusal = /^DATABASE_URL leads to a pooler in transaction or statement mode, .*pool_mode = session.*[^\n]$/

it('Connections with sessions of their own are accepted', async () => {
  const own = connections((name) => (name === 'one' ? 11 : 12))
  await expect(refuseSharedSessions(...own)).resolves.toBeUndefined()
})

it('A pooler that gives both connections the session that was used last is refused', async () => {
  await expect(refuseSharedSessions(...connections(() => 11))).rejects.toThrow(refusal)
})

it('A pooler that uses its sessions in turn is refused', async () => {
  let used = 0
  await expect(refuseSharedSessions(...connections(() => 11 + (used++ % 3)))).rejects.toThrow(refusal)
})
