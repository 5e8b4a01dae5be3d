import type { Project } from '#shared/contract/projects.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { listenToEvents } from '#tests/helpers/event-listener.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, startServer } from '#tests/helpers/server.ts'
import { median, type BenchRow } from './report.ts'

const MEMBERS = 20
const ROUNDS = 20
const AIM_MS = 2000

/** Measures how long a change by one member needs to reach the open event streams of all members of the project. */
export async function run(): Promise<BenchRow[]> {
  const server = await startServer()
  try {
    const ada = await signUp(server.url)
    const { id } = (await ada.json<{ data: Project }>(api.projects(), { body: { name: 'Shared' } })).data
    const paper = await ada.upload(id, new File([onePagePdf(['Naps help.'])], 'a.pdf'))
    const members = []
    for (let n = 0; n < MEMBERS; n++) members.push(await signUp(server.url))
    for (const { userId } of members)
      await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
        id,
        userId,
      ])
    const streams = await Promise.all(members.map(listenToEvents))
    const delays: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = streams.map(({ received }) => received.length)
      const from = Date.now()
      await ada.json(api.document(paper.id), { method: 'PATCH', body: { title: `Round ${round}` } })
      while (streams.some(({ received }, at) => received.length === before[at]))
        await new Promise((resume) => setTimeout(resume, 5))
      delays.push(...streams.map(({ received }, at) => received[before[at]!]!.at - from))
    }
    const removal = Date.now()
    // The event can arrive before the answer.
    const known = streams[0]!.received.length
    await ada.json(api.projectMember(id, members[0]!.userId), { method: 'DELETE' })
    while (streams[0]!.received.length === known) await new Promise((resume) => setTimeout(resume, 5))
    const removed = streams[0]!.received.at(-1)!.at - removal
    for (const { close } of streams) close()
    const row = (what: string, ms: number, aim: number): BenchRow => ({
      what,
      measured: `${Math.round(ms)} ms`,
      peer: '',
      ratio: '',
      aim: `<= ${aim / 1000} s`,
      note: 'from the beginning of the request',
    })
    return [
      row(`a change reaches the streams of ${MEMBERS} members, median of ${delays.length}`, median(delays), AIM_MS),
      row('the same, slowest', Math.max(...delays), AIM_MS),
      row('the last event of a removed member', removed, 5000),
    ]
  } finally {
    await server.stop()
  }
}
