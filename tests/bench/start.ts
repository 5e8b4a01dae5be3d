import { readFile } from 'node:fs/promises'
import { startServer } from '#tests/helpers/server.ts'
import { median, type BenchRow } from './report.ts'

/** The server has released the memory of the start by then. */
const SETTLED_MS = 8_000

/** Measures the first start and a warm start until the first response, and the idle memory of the process. */
export async function run(): Promise<BenchRow[]> {
  const began = performance.now()
  const server = await startServer()
  const first = performance.now() - began
  const warm: number[] = []
  const memory: number[] = []
  try {
    for (let round = 0; round < 5; round++) {
      await server.kill('SIGTERM')
      const from = performance.now()
      await server.restart()
      warm.push(performance.now() - from)
      await new Promise((resume) => setTimeout(resume, SETTLED_MS))
      memory.push(Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
    }
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
      measured: `${Math.round(median(memory))} MB`,
      peer: '',
      ratio: '',
      aim: '<= 500 MB',
    },
  ]
}
