import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import type { DocumentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let ada: Client
beforeAll(async () => {
  ada = await signUp(server.url)
})

const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

/**
 * Creates a project of `client` with one document for each list of keywords. Returns functions to read the documents, and
 * `ids`, the document ids in the order of the lists.
 */
async function projectWith(client: Client, name: string, ...documents: string[][]) {
  const { data } = await client.json<{ data: { id: string } }>(api.projects(), {
    body: { name },
  })
  const ids: string[] = []
  for (const [index, keywords] of documents.entries()) {
    const file = new File([paper], `paper-${index}.pdf`, {
      type: 'application/pdf',
    })
    const { id } = await client.upload<DocumentRow>(data.id, file)
    await client.json(api.document(id), {
      method: 'PATCH',
      body: { keywords },
    })
    ids.push(id)
  }
  const list = (params: Parameters<typeof api.documents>[0]) =>
    client.json<{ data: DocumentRow[]; count: number }>(api.documents({ project_id: data.id, ...params }))
  return {
    ids,
    list,
    idsOf: async (...keyword: string[]) => (await list({ keyword })).data.map(({ id }) => id).toSorted(),
    choices: async () => {
      const path = api.documentFilters(data.id)
      return (
        await client.json<{
          data: { tags: { name: string; document_count: number }[] }
        }>(path)
      ).data.tags
    },
  }
}

it('Keywords that differ only in case are one choice, in the spelling used most, and one filter (TAG-06)', async () => {
  const { ids, list, idsOf, choices } = await projectWith(
    ada,
    'Naps',
    ['Sleep', 'naps', 'EEG'],
    ['sleep', 'SLEEP'],
    ['sleep', 'eeg'],
    ['Otters'],
  )
  const asleep = ids.slice(0, 3)
  expect(await choices()).toEqual([
    { name: 'EEG', document_count: 2 },
    { name: 'naps', document_count: 1 },
    { name: 'Otters', document_count: 1 },
    { name: 'sleep', document_count: 3 },
  ])
  for (const keyword of ['sleep', 'Sleep', 'SLEEP', 'sLeEp'])
    expect([keyword, await idsOf(keyword)]).toEqual([keyword, asleep.toSorted()])
  expect(await idsOf('NAPS', 'otters')).toEqual([ids[0]!, ids[3]!].toSorted())
  expect(await idsOf('nap')).toEqual([])

  const pages = [1, 2, 3, 4].map((page) =>
    list({
      keyword: ['SLEEP'],
      limit: 1,
      page,
      order_by: 'created_at.asc' as const,
    }),
  )
  const found = await Promise.all(pages)
  expect(found.map(({ data, count }) => [data.map(({ id }) => id), count])).toEqual([
    ...asleep.map((id) => [[id], 3]),
    [[], 3],
  ])
  expect((await list({ keyword: ['SLEEP'], search: 'paper-1' })).data.map(({ id }) => id)).toEqual([ids[1]])
})

it('Keywords are stored as they were typed, and a changed keyword is no longer found', async () => {
  const { ids, idsOf } = await projectWith(ada, 'Typed', ['Rest', 'REST', 'rest'])
  const read = async () => (await ada.json<{ data: DocumentRow }>(api.document(ids[0]!))).data.keywords
  expect(await read()).toEqual(['Rest', 'REST', 'rest'])
  await ada.json(api.document(ids[0]!), {
    method: 'PATCH',
    body: { keywords: ['Rests'] },
  })
  expect([await read(), await idsOf('rest'), await idsOf('RESTS')]).toEqual([['Rests'], [], ids])
})

it('Keywords are found by their choice when JavaScript and the database write lower case differently', async () => {
  const { ids, idsOf, choices } = await projectWith(ada, 'Greek', ['İstanbul', 'ΣΟΦΟΣ', 'σοφος', 'Iğdır'])
  for (const name of ['İstanbul', 'ΣΟΦΟΣ', 'σοφος', 'Iğdır', ...(await choices()).map((choice) => choice.name)])
    expect([name, await idsOf(name)]).toEqual([name, ids])
})

it('A keyword in another letter case finds no documents of other users and no deleted documents', async () => {
  const { ids, idsOf, choices } = await projectWith(ada, 'Mine', ['Lemurs'], ['lemurs'])
  const bob = await signUp(server.url)
  const his = await projectWith(bob, 'His', ['lemurs'])
  const all = await bob.json<{ data: DocumentRow[] }>(api.documents({ keyword: ['LEMURS'] }))
  expect(all.data.map(({ id }) => id)).toEqual(his.ids)
  await ada.json(api.document(ids[0]!), { method: 'DELETE' })
  expect(await idsOf('LEMURS')).toEqual([ids[1]])
  expect(await choices()).toEqual([{ name: 'lemurs', document_count: 1 }])
})
