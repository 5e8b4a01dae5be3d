import { existsSync, readFileSync } from 'node:fs'
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

describe('the order of recommended papers, with the built-in embeddings', () => {
  it('puts what answers the question before what shares a word with it', async () => {
    const ids = await order(works, {})
    for (const about of ['W1001', 'W1005', 'W1009'])
      for (const beside of ['W1010', 'W1011', 'W1012']) expect(ids.indexOf(about)).toBeLessThan(ids.indexOf(beside))
  })

  it('lets kept papers pull their like forward, and dismissed ones push theirs back', async () => {
    const title = 'Tapping with the finger: motor learning and sleep'
    const place = async (to: Partial<Compared>) => (await order(works, to)).indexOf('W1012')
    const plain = await place({})
    expect(await place({ kept: [{ id: crypto.randomUUID(), title }] })).toBeLessThan(plain)
    expect(await place({ dismissed: [title] })).toBeGreaterThanOrEqual(plain)
    expect((await order(works, { dismissed: [title] })).slice(-3)).toEqual(expect.arrayContaining(['W1011', 'W1012']))
  })

  const samples = new URL('../../../shared/data/openalex/', import.meta.url)
  it.skipIf(!existsSync(samples))('puts the right one of two real answers of the service in front', async () => {
    const real = ['arxiv', 'biorxiv'].map((name) => read(json(new URL(`work-${name}.json`, samples))))
    const asked = (text: string) => order(real, { question: text })
    expect((await asked('What makes Shigella sonnei epidemiologically successful?'))[0]).toBe('W4407166645')
    expect((await asked('How precise are microwave frequency standards of trapped ions?'))[0]).toBe('W4221145823')
  })
})
