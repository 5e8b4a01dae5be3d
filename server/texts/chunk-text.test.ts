import { describe, expect, it } from 'vitest'
import { seeded } from '#tests/helpers/random.ts'
import { joinPages, splitPages } from '#shared/pdf-text/page-text.ts'
import { chunkText } from './chunk-text.ts'

const PIECES = [
  'a',
  'word',
  'Sentence.',
  'et al.',
  '😀',
  '\n',
  '\n\n',
  '  ',
  'ünïcode',
  '第一句。',
  'x'.repeat(60),
  '😀'.repeat(20),
  '1.5',
  '?',
  '•',
  '”',
]

function randomPages(random: () => number): string[] {
  return Array.from({ length: Math.floor(random() * 4) + 1 }, () =>
    Array.from({ length: Math.floor(random() * 120) }, () => PIECES[Math.floor(random() * PIECES.length)]).join(
      random() < 0.8 ? ' ' : '',
    ),
  )
}

describe('chunkText', () => {
  it('chunkText meets its contract for random texts and sizes', () => {
    // One assertion for each chunk would take most of the time.
    const broken: unknown[] = []
    const check = (isRight: boolean, ...facts: unknown[]) => isRight || broken.push(facts)
    for (let seed = 1; seed <= 120; seed++) {
      const random = seeded(seed)
      const stored = joinPages(randomPages(random))
      const size = [1, 2, 7, 50, 200, 1000][seed % 6]!
      const pages = new Map(splitPages(stored).map((page) => [page.page, page.text]))
      const ends = new Map<number, number>()
      const chunkOfOffset = new Map<number, string>()
      for (const { content, pageNumber, pageOffset } of chunkText(stored, size)) {
        const text = pages.get(pageNumber)!
        const end = pageOffset + content.length
        check(text.slice(pageOffset, end) === content, 'place', seed, pageOffset, content)
        check(content.length <= (size === 1 ? 2 : size), 'length', seed, content)
        check(content === content.trim(), 'spaces', seed, content)
        check(pageOffset >= (ends.get(pageNumber) ?? 0), 'order', seed, pageOffset)
        check(content.isWellFormed(), 'form', seed, content)
        const cutsHere = end < text.length && /\S/.test(text[end]!) && /\S/.test(content.at(-1)!)
        if (cutsHere) {
          const word =
            /\S*$/.exec(text.slice(Math.max(0, end - 1100), end))![0] + /^\S*/.exec(text.slice(end, end + 1100))![0]
          check(word.length > size || /[。！？.!?]["'”’»)\]]*$/.test(content), 'cut word', seed, word)
        }
        ends.set(pageNumber, end)
        chunkOfOffset.set(pageNumber, (chunkOfOffset.get(pageNumber) ?? '') + content)
      }
      for (const [page, text] of pages) {
        const letters = (words: string) => words.replace(/[^\p{L}\p{N}]/gu, '')
        check(letters(chunkOfOffset.get(page) ?? '') === letters(text), 'letters', seed, page)
      }
    }
    expect(broken).toEqual([])
  })

  it('chunkText ends chunks at sentences and makes them about equally long', () => {
    const sentence = 'Patients who walked daily recovered sooner than those who rested in bed. '
    const chunks = chunkText(joinPages([sentence.repeat(32)]))
    expect(chunks.length).toBe(3)
    for (const { content } of chunks) {
      expect(content.endsWith('bed.')).toBe(true)
      expect(content.length).toBeGreaterThan(600)
    }
  })

  it('chunkText never spans pages, and counts offsets from the start of each page (VEC-03)', () => {
    const chunks = chunkText('[Page 1]\nFirst page.\n\n[Page 2]\n\n[Page 3]\nThird page.')
    expect(chunks).toEqual([
      { content: 'First page.', pageNumber: 1, pageOffset: 0, isReference: false },
      { content: 'Third page.', pageNumber: 3, pageOffset: 0, isReference: false },
    ])
  })

  it('chunkText reads long runs of spaces once', () => {
    const word = `x${' '.repeat(400_000)}`
    expect(chunkText(word.repeat(5), 1_000_000).map(({ content }) => content.length)).toEqual([800_003, 400_002])
  })

  it.each(['', '[Page 1]\n', '[Page 1]\n — … •\n\n[Page 2]\n'])('chunkText finds no chunk in %j', (stored) => {
    expect(chunkText(stored)).toEqual([])
  })
})
