import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import { MAX_TEXT_CHARACTERS, MAX_TEXT_PAGES } from '#shared/contract/text-limits.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { largestText } from '#tests/helpers/largest-text.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

/** This file lets one user store the largest permitted texts while another user uses the server. It measures no time. */

const TEXT = '[Page 1]\nNaps helped older adults fall asleep. Whales sing at night.'
const SENTENCE = 'Naps helped older adults fall asleep.'
const LIMIT = 'at most 10,000,000 characters and 5,000 pages'
const LONG_TEST = 240_000

let server: TestServer
let ada: Client
let eve: Client
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  eve = await signUp(server.url)
})
afterAll(() => server.stop())

async function newDocument(client: Client, text: string): Promise<string> {
  const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: crypto.randomUUID() } })
  const file = new File([onePagePdf(['Naps.'])], 'naps.pdf', { type: 'application/pdf' })
  const { id } = await client.upload<DocumentRow>(data.id, file)
  await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: text } })
  return id
}

/** Stores one chunk with a vector for a document, so that the chat can answer questions about it. */
const vectorize = (client: Client, id: string) =>
  client.json(functionPath('generate-embeddings'), {
    body: { document_id: id, force: true, chunks: [{ content: SENTENCE, pageNumber: 1, pageOffset: 0 }] },
  })

const ask = (client: Client, id: string) =>
  client.json<{ data: ChatAnswer }>(api.documentChat(id), { body: { question: 'Did naps help older adults?' } })

interface Answer {
  status: number
  text: string
}

/** Sends a request on a new connection. The server could close a reused connection before a busy machine sends the request. */
function call(client: Client, method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${client.token}` }
  return new Promise((resolve, reject) => {
    const request = httpRequest(client.url + path, { method, headers, agent: false, ...(signal ? { signal } : {}) })
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => (text += piece))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.end(JSON.stringify(body))
  })
}

describe('the largest text', () => {
  it.runIf(IS_LONG_RUN)(
    'The largest text does not delay another user while its owner asks fifteen questions at once',
    async () => {
      const largest = await newDocument(eve, largestText())
      await vectorize(eve, largest)
      const small = await newDocument(ada, TEXT)
      await vectorize(ada, small)
      const ended: string[] = []
      const answers = Array.from({ length: 15 }, () => ask(eve, largest).finally(() => ended.push('eve')))
      const others = (async () => {
        const own = ask(ada, small).finally(() => ended.push('ada asked'))
        for (let n = 0; n < 20; n += 1) await ada.json(n % 2 === 0 ? api.document(small) : api.projects())
        return own
      })()
      const { statements } = (await others).data
      expect(statements[0]!.passages[0]).toMatchObject({ match: 'exact', page: 1, start: 0 })
      const place = (what: string) => ended.slice(0, ended.indexOf(what)).filter((one) => one === 'eve').length
      // The questions of different users are answered in turn. `npm run bench -- long-text` measures the other requests.
      expect(place('ada asked')).toBeLessThan(10)
      for (const { data } of await Promise.all(answers))
        expect(data.statements[0]!.passages[0]).toMatchObject({ match: 'exact', page: 1 })
      // Every call was recorded, and no query timed out.
      expect(server.output()).not.toMatch(/could not be recorded|cannot be read|timeout exceeded/)
      const calls = await inDatabase(server, "select count(*)::int as n from ai_calls where purpose = 'answer'")
      expect(calls).toEqual([{ n: 16 }])
    },
    LONG_TEST,
  )

  it(
    'The largest text is stored, and a longer one is refused with the limit',
    async () => {
      const id = await newDocument(ada, largestText())
      const put = (extracted_text: string) => call(ada, 'PUT', api.documentText(id), { extracted_text })
      const tooLong = await put('a'.repeat(MAX_TEXT_CHARACTERS + 1))
      expect([tooLong.status, tooLong.text]).toEqual([422, expect.stringContaining(LIMIT)])
      const pages = Array.from({ length: MAX_TEXT_PAGES + 1 }, (_, n) => `[Page ${n + 1}]\nNaps.`).join('\n\n')
      const tooMany = await put(pages)
      expect([tooMany.status, tooMany.text]).toEqual([413, expect.stringContaining(LIMIT)])
      const { data } = await ada.json<{ data: DocumentDetail }>(api.document(id))
      expect(data.extracted_text?.length).toBe(MAX_TEXT_CHARACTERS)
    },
    LONG_TEST,
  )

  it.runIf(IS_LONG_RUN)(
    'A longer text of an earlier version stays readable',
    async () => {
      const id = await newDocument(ada, TEXT)
      await vectorize(ada, id)
      await inDatabase(server, "update documents set extracted_text = $2 || repeat(' more', 3000000) where id = $1", [
        id,
        TEXT,
      ])
      const { data } = await ada.json<{ data: DocumentDetail }>(api.document(id))
      expect(data.extracted_text?.length).toBe(TEXT.length + 15_000_000)
      expect((await ask(ada, id)).data.statements[0]!.passages[0]).toMatchObject({ match: 'exact', page: 1 })
      await ada.json(api.document(id), { method: 'PATCH', body: { summary: 'Whales sing at night.' } })
    },
    LONG_TEST,
  )
})

describe('a call of a built-in model', () => {
  it('A call of a built-in model is refused with the limit when its text is too long', async () => {
    const refused = async (name: string, body: unknown) => {
      const { status, text } = await call(ada, 'POST', functionPath(name), body)
      return [status, (JSON.parse(text) as { error: string }).error]
    }
    expect(await refused('analyze-pdf', { text: 'a'.repeat(MAX_TEXT_CHARACTERS + 1) })).toEqual([
      413,
      expect.stringMatching(/^Request too large: .*10,000,000 characters/),
    ])
    const repeated = <T>(one: T, times: number) => Array.from({ length: times }, () => one)
    const passage = { content: 'a '.repeat(25_000), page_number: 1 }
    expect(await refused('generate-answer', { query: 'Naps?', chunks: repeated(passage, 200) })).toEqual([
      413,
      expect.stringContaining(LIMIT),
    ])
    const chunk = { content: 'a '.repeat(10_000), pageNumber: 1, pageOffset: 0 }
    const document_id = await newDocument(ada, TEXT)
    expect(await refused('generate-embeddings', { document_id, chunks: repeated(chunk, 501) })).toEqual([
      413,
      expect.stringContaining(LIMIT),
    ])
  })

  it(
    'Calls of a built-in model run in turn: an analysis ends before the third of twelve large calls of another user',
    async () => {
      const prose = `${SENTENCE} These results suggest that doctors should recommend naps to older adults. `
      const text = `[Page 1]\n${prose.repeat(5_000_000 / prose.length)}`
      const stop = new AbortController()
      const ended: number[] = []
      const analyze = (client: Client, of: string, signal?: AbortSignal) =>
        call(client, 'POST', functionPath('analyze-pdf'), { text: of }, signal)
      const large = Array.from({ length: 12 }, () =>
        analyze(eve, text, stop.signal).then(({ status }) => void ended.push(status)),
      )
      const all = Promise.allSettled(large)
      // Now the worker runs the second task, and the other tasks wait.
      await Promise.race(large)
      expect((await analyze(ada, TEXT)).status).toBe(200)
      expect([[200], [200, 200]]).toContainEqual(ended)
      stop.abort()
      await all
    },
    LONG_TEST,
  )
})
