import { afterAll, describe, expect, it } from 'vitest'
import { findPassage } from '#shared/passages/find-passage.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { findPassages, groundAnswer, planChunks } from './read-texts.ts'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'

const WANTED = [{ quote: 'naps helped older adults' }, { quote: 'bread was cheap', nearPage: 2 }, { quote: 'no whale' }]
const SHORT = '[Page 1]\nNaps helped older adults.\n\n[Page 2]\nBread was cheap that year.'
const LONG = `[Page 1]\n${'Words without end. '.repeat(20_000)}Naps helped older adults.\n\n[Page 2]\nBread was cheap that year.`
const whose = { person: 'ada' }

afterAll(() => stopWorkerPools())

describe('read-texts', () => {
  it.each([
    ['a short text', SHORT],
    ['a long page', LONG],
  ])('findPassages finds the same as in the main thread: %s', async (_what, text) => {
    const pages = splitPages(text)
    const found = await findPassages(whose, text, WANTED)
    expect(found).toEqual(WANTED.map(({ quote, nearPage }) => findPassage(pages, quote, { nearPage })))
    expect(found.map(({ page }) => page)).toEqual([1, 2, null])
  })

  it('findPassages does not block the event loop while it searches a long text', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    await findPassages(whose, LONG, WANTED)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(0)
  })
})

it('A text is loaded when its task starts, not before', async () => {
  const loaded: number[] = []
  const ended: number[] = []
  const ask = async (n: number) => {
    const load = async () => {
      loaded.push(n)
      expect(ended.length).toBeGreaterThanOrEqual(n - 1)
      return SHORT
    }
    await groundAnswer(whose, '“Naps helped older adults.” [p. 1]', { size: 10_000_000, load })
    ended.push(n)
  }
  await Promise.all([0, 1, 2].map(ask))
  expect(loaded).toEqual([0, 1, 2])
})

it('A text with a key is loaded once for several answers, and a new version is loaded again', async () => {
  await stopWorkerPools()
  const loads: string[] = []
  const pageOf = async (version: string, text: string) => {
    const load = async () => (loads.push(version), text)
    const [statement] = await groundAnswer(whose, '“Naps helped older adults.”', {
      size: text.length,
      load,
      key: version,
    })
    return statement?.passages[0]?.page
  }
  expect(await pageOf('a 1', SHORT)).toBe(1)
  expect(await pageOf('a 1', SHORT)).toBe(1)
  expect(await pageOf('a 2', `[Page 1]\nNothing.\n\n${SHORT.replace('[Page 1]', '[Page 3]')}`)).toBe(3)
  expect(loads).toEqual(['a 1', 'a 2'])
})

it('A text with too many sentences to vectorize is refused with the limit', async () => {
  const text = 'aa bb cc dd. '.repeat(101_000).replaceAll('. a', '. A')
  await expect(planChunks(whose, { size: text.length, load: async () => text })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('at most 100,000 sentences'),
  })
})
