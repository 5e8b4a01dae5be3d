import { describe, expect, it } from 'vitest'
import { findPassage } from '#shared/find-passage.ts'
import { splitPages } from '#shared/page-text.ts'
import { findPassages } from './find-passages.ts'

const WANTED = [{ quote: 'naps helped older adults' }, { quote: 'bread was cheap', nearPage: 2 }, { quote: 'no whale' }]
const SHORT = '[Page 1]\nNaps helped older adults.\n\n[Page 2]\nBread was cheap that year.'
const LONG = `[Page 1]\n${'Words without end. '.repeat(20_000)}Naps helped older adults.\n\n[Page 2]\nBread was cheap that year.`

describe('looking passages up', () => {
  it.each([
    ['a short text', SHORT],
    ['a long page, in a thread', LONG],
  ])('finds the same in %s', async (_what, text) => {
    const pages = splitPages(text)
    const found = await findPassages(text, WANTED)
    expect(found).toEqual(WANTED.map(({ quote, nearPage }) => findPassage(pages, quote, { nearPage })))
    expect(found.map(({ page }) => page)).toEqual([1, 2, null])
  })

  it('lets others have their turn while a long text is searched', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    await findPassages(LONG, WANTED)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })
})
