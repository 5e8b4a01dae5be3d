import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { madeByHand, mutate, SLOW } from '#tests/hostile/pdf-corpus.ts'
import { sendFile, watchMemory } from '#tests/hostile/send-file.ts'

/**
 * This file is a short form of `npm run test:hostile`. It uploads and extracts broken and malicious PDFs. The server must
 * answer each file with a message, must not end, and must not use more memory than its limit.
 */

const good = readFileSync(new URL('../fixtures/paper.pdf', import.meta.url))
const MUTATIONS = 12
/** Maximum memory of the server in MB: two workers of at most 768 MB each, and the memory of a started server. */
const MEMORY_LIMIT_MB = 3000
const AT_ONCE = 4

let server: TestServer
let ada: Client
let project: string
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Hostile' } })).data.id
})
afterAll(() => server.stop())

describe('hostile PDFs', () => {
  it('Hostile PDFs are answered with a message, and the server continues', async () => {
    const { pid } = server
    const memory = watchMemory(pid)
    const quick = madeByHand(good).filter(({ name }) => !SLOW.includes(name))
    const waiting = [...quick, ...Array.from({ length: MUTATIONS }, (_, seed) => mutate(good, seed))]
    const answers: Awaited<ReturnType<typeof sendFile>>[] = []
    const lane = async () => {
      for (let file = waiting.shift(); file; file = waiting.shift())
        answers.push(await sendFile(ada, project, file, 'text'))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    memory.stop()
    const words = new Map(answers.map((answer) => [answer.name, answer.words]))
    expect(words.get('no bytes')).toBe('This file is not a PDF. Only PDF files are accepted.')
    expect(words.get('cut in half')).toBe('This file is damaged and cannot be read as a PDF.')
    expect(answers.filter(({ words: said }) => /undefined|Error:|\bat \w+ \(|node_modules/.test(said))).toEqual([])
    expect(memory.peakMb()).toBeLessThan(MEMORY_LIMIT_MB)
    expect(server.pid).toBe(pid)
    expect(await sendFile(ada, project, { name: 'a good one', bytes: good }, 'text')).toMatchObject({
      outcome: 'completed',
    })
  }, 300_000)
})
