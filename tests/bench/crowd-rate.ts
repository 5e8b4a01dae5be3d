import type { Client } from '#tests/helpers/server.ts'
import { processorMs } from './process-figures.ts'
import { median, type BenchRow } from './report.ts'

const CROWD = 8
const CROWD_MS = 20_000
const CROWD_AIM = 60

/**
 * Measures a request of eight concurrent clients, each of which sends one request after another, to a server with the embedded
 * database. Reports the rate and the processor time per request; the latter is also meaningful on a busy machine. `what`: the
 * name of the request. `filled`: how the database was filled. `pid`: the process of the server.
 */
export async function measureCrowd(
  client: Client,
  path: string,
  pid: number,
  what: string,
  filled: string,
): Promise<BenchRow> {
  const taken: number[] = []
  const end = performance.now() + CROWD_MS
  const before = processorMs(pid)
  const ask = async () => {
    while (performance.now() < end) {
      const began = performance.now()
      await client.json(path)
      taken.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: CROWD }, ask))
  const rate = (taken.length / CROWD_MS) * 1000
  const processor = (processorMs(pid) - before) / taken.length
  return {
    what: `${what} for ${CROWD} clients at once`,
    measured: `${rate.toFixed(0)} requests/s, p50 ${median(taken).toFixed(0)} ms, ${processor.toFixed(0)} ms of processor time each`,
    peer: `${CROWD_AIM} requests/s`,
    ratio: `${(rate / CROWD_AIM).toFixed(2)} ×`,
    aim: '≥ 1 ×',
    note: `embedded database, filled by ${filled}`,
  }
}
