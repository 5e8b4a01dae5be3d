import { describe, expect, it } from 'vitest'
import type { ChatSource } from '#shared/contract/chat.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { isSamePlace, paragraphs, passageOfSource, passageOnPage, streamedParts } from './answer-parts.ts'

const text = (words: string) => ({ kind: 'text', text: words })
const page = (number: number) => ({ kind: 'page', page: number })

describe('streamedParts', () => {
  it.each([
    ['Naps help. [p. 4] So it seems.', [text('Naps help.'), page(4), text(' So it seems.')]],
    ['Both. [p. 4, 7]', [text('Both.'), page(4), page(7)]],
    ['All. [pp. 4–6] End', [text('All.'), page(4), page(5), page(6), text(' End')]],
    ['Two.[p.3][p. 5]', [text('Two.'), page(3), page(5)]],
    ['See [12] and [Page 3].', [text('See [12] and [Page 3].')]],
  ])('streamedParts splits "%s" at its markers', (answer, parts) => expect(streamedParts(answer)).toEqual(parts))

  it.each(['Naps help. [', 'Naps help. [p', 'Naps help. [p.', 'Naps help. [p. 1'])(
    'streamedParts holds back the unfinished marker of "%s"',
    (half) => expect(streamedParts(half)).toEqual([text('Naps help.')]),
  )
})

describe('paragraphs', () => {
  const say = (words: string) => ({ text: words, passages: [], unsupported_numbers: [] })
  it('paragraphs starts a new paragraph at a line break of the answer', () => {
    const answer = 'First. [p. 1] Second.\n\nThird.'
    const groups = paragraphs(answer, [say('First.'), say('Second.'), say('Third.')])
    expect(groups.map((group) => group.map((one) => one.text))).toEqual([['First.', 'Second.'], ['Third.']])
  })

  it('paragraphs includes a statement whose words are not in the answer', () => {
    expect(paragraphs('First.', [say('First.'), say('Reworded.')])).toHaveLength(1)
  })
})

const source: ChatSource = {
  content: 'Before it. Naps help memory. After it.',
  page_number: 6,
  page_offset: 100,
  similarity: 0.87,
  start: 111,
  end: 128,
}

describe('passageOfSource', () => {
  it('passageOfSource returns the sentence that matched best', () => {
    expect(passageOfSource(source)).toMatchObject({ quote: 'Naps help memory.', page: 6, start: 111, end: 128 })
  })

  it('passageOfSource returns the whole source when no sentence is named', () => {
    expect(passageOfSource({ ...source, start: 100, end: 100 })).toMatchObject({
      quote: source.content,
      start: 100,
      end: 138,
    })
  })
})

describe('passageOnPage', () => {
  it('passageOnPage returns the source on that page, or the page', () => {
    expect(passageOnPage(6, [source]).quote).toBe('Naps help memory.')
    expect(passageOnPage(7, [source])).toMatchObject({ page: 7, quote: null })
  })
})

describe('isSamePlace', () => {
  const at = (start: number, end: number, on = 6): FoundPassage => ({
    quote: 'x',
    page: on,
    start,
    end,
    match: 'exact',
    score: 1,
  })
  it.each([
    [at(10, 50), at(10, 50), true],
    [at(10, 50), at(12, 30), true],
    [at(10, 50), at(45, 90), false],
    [at(10, 50), at(50, 90), false],
    [at(10, 50), at(10, 50, 7), false],
  ])('isSamePlace of %o and %o is %s', (a, b, same) => expect(isSamePlace(a, b)).toBe(same))

  it('isSamePlace is false when no passage is shown', () => expect(isSamePlace(at(1, 2), null)).toBe(false))
})
