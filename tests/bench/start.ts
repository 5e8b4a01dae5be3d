import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '#tests/helpers/server.ts'
import { residentMb } from './process-figures.ts'
import { median, type BenchRow } from './report.ts'

/** Wait in ms after a start, in which the server releases memory that it needed only to start. */
const SETTLED_MS = 8_000
const IDLE_MS = 60_000

/**
 * Measures the time from the start of the server to its first response, for the first start and for a later start, and the idle
 * memory of the process.
 */
export async function run(): Promise<BenchRow[]> {
  const began = performance.now()
  const server = await startServer()
  const first = performance.now() - began
  const warm: number[] = []
  const memory: number[] = []
  let idle = 0
  try {
    for (let round = 0; round < 5; round++) {
      await server.kill('SIGTERM')
      const from = performance.now()
      await server.restart()
      warm.push(performance.now() - from)
      await pause(SETTLED_MS)
      memory.push(residentMb(server.pid))
    }
    await pause(IDLE_MS)
    idle = residentMb(server.pid)
  } finally {
    await server.stop()
  }
  return [
    {
      what: 'start on an empty folder, to the first answered request',
      measured: `${(first / 1000).toFixed(2)} s`,
      peer: '',
      ratio: '',
      aim: '',
      note: 'one run; creates the embedded database',
    },
    {
      what: 'warm start, to the first answered request',
      measured: `${(median(warm) / 1000).toFixed(2)} s`,
      peer: '',
      ratio: '',
      aim: '<= 1.5 s',
    },
    {
      what: 'memory of the server, idle after start',
      measured: `${Math.round(median(memory))} MB; a minute later ${Math.round(idle)} MB`,
      peer: '',
      ratio: '',
      aim: '<= 350 MB',
    },
  ]
}
