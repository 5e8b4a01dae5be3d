import { describe, expect, it } from 'vitest'
import { joinPages, splitPages } from '#shared/pdf-text/page-text.ts'
import { chunkText } from './chunk-text.ts'
import { bordersIn, findReferences, isInReferences, textWithoutReferences } from './references.ts'

const PROSE =
  'Walking every day helped the patients in the trial, and the effect lasted for a year after the visits had ended. '
const LIST = [
  'Adams, B., & Cole, D. (2019). Walking and recovery. Journal of Motion, 12(3), 44–59. https://doi.org/10.1000/1',
  'Egan F, Hart G. 2003. Rest in bed. Nursing Letters 4:1–9 DOI 10.1000/2.',
  'Ito, J., Klein, L., et al. (2011). Steps a day. In: Proceedings of Gait, pp. 3–14.',
].join('\n')
const NUMBERED =
  '[1] B. Adams and D. Cole. 2019. Walking. J. Motion 12, 3 (2019), 44–59. [2] F. Egan. 2003. Rest. Nursing 4, 1–9.'

const cut = (pages: string[]) => {
  const stored = joinPages(pages)
  return findReferences(splitPages(stored)).map(({ start, end }) => stored.slice(start, end))
}

describe('findReferences', () => {
  it.each([
    ['References'],
    ['REFERENCES'],
    ['7 References'],
    ['VII. REFERENCES'],
    ['Bibliography:'],
    ['Literature Cited'],
  ])('findReferences finds a list from the heading %j to the end', (heading) => {
    const [found, ...more] = cut([PROSE.repeat(5), `${PROSE}\n${heading}\n${LIST}`, LIST])
    expect(more).toEqual([])
    expect(found!.startsWith(heading)).toBe(true)
    expect(found!.endsWith('pp. 3–14.')).toBe(true)
  })

  it('findReferences finds a heading on the same line as the first entry', () => {
    const [found] = cut([`${PROSE}We thank all who walked. References ${NUMBERED}`])
    expect(found!.startsWith('References [1]')).toBe(true)
  })

  it('findReferences ends a list at the next section', () => {
    const [found] = cut([`${PROSE}\nReferences\n${LIST}`, `${LIST}\nAppendix A: Questions asked\n${PROSE.repeat(4)}`])
    expect(found!.startsWith('References')).toBe(true)
    expect(found!.trimEnd().endsWith('pp. 3–14.')).toBe(true)
    expect(found!.includes('Questions asked')).toBe(false)
  })

  it.each([
    ['an unknown heading', '\nA Details of the interviews\n'],
    ['another article', '\n\nRest in bed after a fall\nEgan F, Hart G\n'],
    ['no heading', '\n\n'],
  ])('findReferences ends a list at prose after %s', (_what, between) => {
    const pages = [`${PROSE}\nReferences\n${LIST}`, `${LIST}${between}${PROSE.repeat(9)}`, PROSE.repeat(12)]
    const [found, ...more] = cut(pages)
    expect(more).toEqual([])
    expect(found!.trimEnd().endsWith('pp. 3–14.')).toBe(true)
    const marked = chunkText(joinPages(pages)).filter(({ isReference }) => isReference)
    expect(marked.map(({ pageNumber }) => pageNumber)).toEqual([1, 2])
  })

  it('findReferences ends a list of which the last entry has several sentences after that entry', () => {
    const last = 'Zhou L (2019) The effects of risk. Nat Hazards 98(1):319–341'
    const [found] = cut([`${PROSE}\nReferences\n${LIST}\n${last}\n\nPublisher’s note\n${PROSE.repeat(15)}`])
    expect(found!.trimEnd().endsWith(last)).toBe(true)
  })

  it('findReferences keeps a list with sparse entries whole', () => {
    const web =
      'World Walking Body. Recommendations for walking in later life, a guide for communities. 2019. www.walk.example\n'
    const law = 'The Footpaths and Open Spaces Act, as amended by the council after the second reading of 1998.\n'
    const [found] = cut([`${PROSE}\nReferences\n${LIST}\n${(web + law).repeat(30)}`, `${law.repeat(3)}${LIST}`])
    expect(found!.endsWith('pp. 3–14.')).toBe(true)
  })

  it('findReferences ends a list of a million characters', () => {
    const list = `${LIST}\n`.repeat(4_000)
    const [found] = cut([`${PROSE}\nReferences\n${list}Further text\n${PROSE.repeat(15)}`])
    expect(found!.trimEnd().endsWith('pp. 3–14.')).toBe(true)
  })

  it('findReferences reads 300,000 spaces after a heading once', () => {
    expect(cut([`${PROSE}\nReferences${' '.repeat(300_000)}x`])).toEqual([])
    expect(cut([`${PROSE}\nReferences   :   \n${LIST}`])).toHaveLength(1)
  })

  it('findReferences reads a text with thousands of lists once', () => {
    const list = `References\n${'A. '.repeat(60)}\nAppendix\n${'the walk of a day was long and '.repeat(24)}\n`
    expect(cut([list.repeat(4000)])).toHaveLength(4000)
  })

  it('findReferences reads a line once if any of its 60,000 sentences can be the end of an entry', () => {
    expect(cut([`References\n${'A. '.repeat(600)}${'Walk a long way. '.repeat(60_000)}A. 2019.`])).toHaveLength(1)
  })

  it('findReferences ignores the word "references" in prose or in a table', () => {
    expect(cut([`${PROSE}\nReferences\n${PROSE.repeat(6)}`])).toEqual([])
    expect(cut([`We took References from the patients. ${PROSE.repeat(3)}`])).toEqual([])
    expect(cut(['', PROSE])).toEqual([])
  })

  it('chunkText marks only the chunks of the list, also when the paper continues on the same page', () => {
    const pages = [PROSE.repeat(6), `${PROSE.repeat(3)}\nReferences\n${LIST}\nAppendix B\n${PROSE.repeat(9)}`]
    const chunks = chunkText(joinPages(pages))
    const marked = chunks.filter((chunk) => chunk.isReference)
    expect(marked.map((chunk) => chunk.content).join('\n')).toBe(`References\n${LIST}`)
    for (const chunk of chunks) {
      expect(pages[chunk.pageNumber - 1]!.slice(chunk.pageOffset, chunk.pageOffset + chunk.content.length)).toBe(
        chunk.content,
      )
      expect(chunk.content.includes('Walking every day') && chunk.content.includes('Adams')).toBe(false)
    }
  })
})

describe('isInReferences and bordersIn', () => {
  const ranges = Array.from({ length: 100_000 }, (_, n) => ({ start: 10 * n, end: 10 * n + 5 }))

  it.each([
    [0, true],
    [4, true],
    [5, false],
    [9, false],
    [10, true],
    [999_994, true],
    [999_995, false],
  ])('isInReferences returns whether the place %i is in a list', (place, expected) => {
    expect(isInReferences(ranges, place)).toBe(expected)
    expect(isInReferences([], place)).toBe(false)
  })

  it('bordersIn returns the starts and ends between two places', () => {
    expect(bordersIn(ranges, 2, 31)).toEqual([3, 8, 13, 18, 23, 28])
    expect(bordersIn(ranges, 10, 15)).toEqual([])
    expect(bordersIn(ranges, 5, 10)).toEqual([])
  })

  it('isInReferences and bordersIn read few of 100,000 lists', () => {
    let reads = 0
    const counted = new Proxy(ranges, {
      get: (list, key, self) => (reads++, Reflect.get(list, key, self) as unknown),
    })
    expect(isInReferences(counted, 999_990)).toBe(true)
    expect(bordersIn(counted, 500_002, 500_012)).toEqual([3, 8])
    expect(reads).toBeLessThan(100)
  })
})

describe('textWithoutReferences', () => {
  it('textWithoutReferences removes the list and keeps the pages', () => {
    const stored = joinPages([PROSE, `Before.\nReferences\n${LIST}`, `${LIST}\nAppendix A\nAfter.`])
    expect(textWithoutReferences(stored)).toBe(
      `[Page 1]\n${PROSE.trim()}\n\n[Page 2]\nBefore.\n\n\n[Page 3]\nAppendix A\nAfter.`,
    )
    expect(textWithoutReferences(joinPages([PROSE, PROSE]))).toBe(joinPages([PROSE, PROSE]))
  })

  it('textWithoutReferences reads 500,000 line breaks in a list once', () => {
    const list = `References\n${LIST}\n${'\n'.repeat(500_000)}[1] A. Adams.`
    expect(textWithoutReferences(`[Page 1]\n${PROSE}\n${list}`)).toBe(`[Page 1]\n${PROSE}\n`)
  })
})
