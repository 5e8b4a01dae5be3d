import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readWork, type Work } from '#server/external/openalex/read-work.ts'
import { workWire } from '#server/external/openalex/wire.ts'
import { openAlexWork, type WorkSample } from '#tests/helpers/openalex-work.ts'
import { compare, type Compared } from './compare.ts'
import { rank } from './rank.ts'

const json = (url: URL): unknown => JSON.parse(readFileSync(url, 'utf8'))
const read = (wire: unknown) => readWork(workWire.parse(wire))!
const works = (json(new URL('../../tests/fixtures/openalex/works.json', import.meta.url)) as WorkSample[]).map((one) =>
  read(openAlexWork(one)),
)
const question = 'Does sleep after learning protect declarative memory in adults?'

async function order(from: readonly Work[], to: Partial<Compared>): Promise<string[]> {
  const all = { question, kept: [], dismissed: [], ...to }
  const ctx = { userId: null, purpose: 'embedding' } as const
  const compared = await compare(from, all, ctx, new Date('2026-11-21'))
  return rank(
    compared.map(({ signals }) => signals),
    from.length,
  ).map(({ index }) => compared[index]!.work.id)
}

describe('recommended papers, with the built-in embeddings', () => {
  it('Papers that answer the question come before papers that share only a word with it', async () => {
    const ids = await order(works, {})
    for (const about of ['W1001', 'W1005', 'W1009'])
      for (const beside of ['W1010', 'W1011', 'W1012']) expect(ids.indexOf(about)).toBeLessThan(ids.indexOf(beside))
  })

  it('A paper moves up when it is similar to a project paper and down when it is similar to a dismissed one', async () => {
    const title = 'Tapping with the finger: motor learning and sleep'
    const place = async (to: Partial<Compared>) => (await order(works, to)).indexOf('W1012')
    const plain = await place({})
    expect(await place({ kept: [{ id: crypto.randomUUID(), title }] })).toBeLessThan(plain)
    expect(await place({ dismissed: [title] })).toBeGreaterThanOrEqual(plain)
    expect((await order(works, { dismissed: [title] })).slice(-3)).toEqual(expect.arrayContaining(['W1011', 'W1012']))
  })

  it('The paper of the right field comes first when two papers share no field', async () => {
    const two = (json(new URL('../../tests/fixtures/openalex/two-fields.json', import.meta.url)) as WorkSample[]).map(
      (one) => read(openAlexWork(one)),
    )
    const asked = (text: string) => order(two, { question: text })
    expect((await asked('What makes clones of Shigella sonnei epidemic?'))[0]).toBe('W2001')
    expect((await asked('How precise are microwave frequency standards of trapped ions?'))[0]).toBe('W2002')
  })
})
