import { describe, expect, it } from 'vitest'
import { locatePassage } from './locate-passage.ts'

describe('locatePassage', () => {
  it('locatePassage finds a passage across hyphenated lines and text items, with its closing mark', () => {
    const pieces = ['had slept. Par-', 'ticipants who', ' ', 'napped recalled 61% of the', 'word pairs. The difference']
    const located = locatePassage(pieces, 'Participants who napped recalled 61% of the word pairs.', null)
    expect(located).toEqual({
      spots: [
        { piece: 0, from: 11, to: 15 },
        { piece: 1, from: 0, to: 13 },
        { piece: 3, from: 0, to: 26 },
        { piece: 4, from: 0, to: 11 },
      ],
      coverage: 1,
      text: 'Par- ticipants who napped recalled 61% of the word pairs.',
    })
  })

  it.each([
    ['ligatures', ['an e\uFB03cient \uFB02ow'], 'efficient flow'],
    ['accents split off by TeX', ['by G\u00A8odel and Poincar\u00B4e'], 'Gödel and Poincaré'],
    ['case and quotation marks', ['They said \u201CSleep Helps\u201D twice'], '"sleep helps"'],
    ['mathematical letters', ['with \u{1D45B} = 69 people'], 'with n = 69 people'],
  ])('locatePassage ignores differences in %s', (_, pieces, quote) =>
    expect(locatePassage(pieces, quote, null)?.coverage).toBe(1),
  )

  it('locatePassage chooses the repetition nearest to the offset in the stored text', () => {
    const filler = 'many other words stand here between '.repeat(5)
    const pieces = ['the same phrase', filler, 'the same phrase', filler, 'the same phrase']
    const middle = 15 + filler.length
    expect(locatePassage(pieces, 'the same phrase', 0)?.spots).toEqual([{ piece: 0, from: 0, to: 15 }])
    expect(locatePassage(pieces, 'the same phrase', middle)?.spots).toEqual([{ piece: 2, from: 0, to: 15 }])
    expect(locatePassage(pieces, 'the same phrase', 2 * middle)?.spots).toEqual([{ piece: 4, from: 0, to: 15 }])
  })

  it('locatePassage prefers a whole word to letters inside another word', () => {
    expect(locatePassage(['kidnapped', 'after a nap today'], 'nap', 0)?.spots).toEqual([{ piece: 1, from: 8, to: 11 }])
  })

  it('locatePassage joins a passage that a caption or the next column interrupts', () => {
    const pieces = [
      'The gain followed spindle density',
      'Fig. 2. Word pairs recalled, in per cent, by group and interval.',
      'over central sites and was not explained by sleep',
    ]
    const located = locatePassage(
      pieces,
      'The gain followed spindle density over central sites and was not explained by sleep',
      0,
    )
    expect(located?.coverage).toBe(1)
    expect(located?.spots.map((spot) => spot.piece)).toEqual([0, 2])
  })

  it('locatePassage ignores chance matches when the passage continues on another page', () => {
    const pieces = ['the nap group slept for an hour', 'recall was tested again in the evening of the same day']
    const quote = 'Words learned by the nap group were kept, and recall was tested again in the evening of the same day'
    expect(locatePassage(pieces, quote, 0)?.spots.map((spot) => spot.piece)).toEqual([1])
  })

  it('locatePassage bridges a few letters that were corrected in the stored text', () => {
    const located = locatePassage(
      ['memory consolidation xy improves with sleep spindles'],
      'memory consolidation ab improves with sleep spindles',
      0,
    )
    expect(located?.spots).toEqual([{ piece: 0, from: 0, to: 52 }])
    expect(located?.coverage).toBeGreaterThan(0.9)
  })

  it('locatePassage returns ranges in the order of the page without overlaps, also for a passage in another order', () => {
    const [first, second] = ['Naps of nurses improved their recall.', 'All pilots slept in their own beds.'] as const
    const gap = ' The ward was quiet during all nights. '
    const located = locatePassage([first + gap + second], `${second} ${first} ${second}`, 0)
    expect(located?.text).toBe(`${first.slice(0, -1)} ${second.slice(0, -1)}`)
    expect(located?.spots.map(({ from }) => from)).toEqual([0, first.length + gap.length])
  })

  it('locatePassage returns null when the passage is not on the page', () => {
    expect(
      locatePassage(['this page has an entirely different text'], 'Participants who napped recalled more', 0),
    ).toBeNull()
    expect(locatePassage([], 'anything', 0)).toBeNull()
    expect(locatePassage(['words'], '…', 0)).toBeNull()
  })
})
