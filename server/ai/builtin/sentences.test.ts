import { describe, expect, it } from 'vitest'
import { readParagraphs } from './paragraphs.ts'
import { readHeading } from '#server/language/section-headings.ts'
import { isReference, readSentences } from './sentences.ts'

const read = (text: string) => readSentences({ text, page: 1 }).map((one) => one.text)

describe('readSentences', () => {
  it('readSentences returns whole sentences with abbreviations, figures and citations inside', () => {
    expect(
      read(
        'Bee et al. found that tea (e.g. green tea) helps, cf. Fig. 2. The effect was strong (p < .05) in all 42 kitchens [3].',
      ),
    ).toEqual([
      'Bee et al. found that tea (e.g. green tea) helps, cf. Fig. 2.',
      'The effect was strong (p < .05) in all 42 kitchens [3].',
    ])
  })

  it.each([
    ['a caption', 'Figure 3: The kitchen in which the tea was made by all participants.'],
    ['a notice', 'This is an open-access article distributed under the Creative Commons Attribution License.'],
    ['a list of authors', 'Ann Bee1, Carl Dee2, Eve Eff1, Gus Hay3, Ida Jay2, Kim Lee4 and Max Nee1.'],
    ['a row of a table', 'Germany 505 22.7% Japan 53 2.4% Russia 366 16.4% Spain 52 2.3%.'],
    ['a fragment', 'themselves to one of the groups by choosing a seat in the room.'],
    ['an unfinished sentence', 'The participants of the study were asked to drink the tea before the'],
    ['a heading that ran into a sentence', '3.2 Primary outcome The sleep of tea drinkers was longer than before.'],
    ['a reference', '[12] Bee A, Dee C. Tea in winter. J Warm Drinks. 2012;4(2):11–19.'],
  ])('readSentences omits %s', (_, text) => {
    expect(read(text)).toEqual([])
  })

  it('readSentences ends a sentence after a raised reference', () => {
    expect(read('Tea is warm in nearly all of the kitchens.¹² The effect was strong in winter.³')).toEqual([
      'Tea is warm in nearly all of the kitchens.¹²',
      'The effect was strong in winter.³',
    ])
  })

  it('readSentences removes the bullet of a list item', () => {
    expect(read('– People who drink tea sleep longer than other people.')).toEqual([
      'People who drink tea sleep longer than other people.',
    ])
  })
})

describe('isReference', () => {
  it('isReference distinguishes a reference from a sentence with a citation', () => {
    expect(isReference('Bee A, Dee C, Eff E, Gee H (2012) Tea in winter. Journal of Tea 4(2):11–19')).toBe(true)
    expect(isReference('Bee A (2012). “Tea in winter.” Journal of Tea, 4(2). doi:10.5555/other.1')).toBe(true)
    expect(isReference('In 2012, A. Bee showed that tea is warm, and so it is.')).toBe(false)
  })
})

describe('readParagraphs', () => {
  const paragraphs = (text: string) => readParagraphs([{ page: 3, text, start: 0 }]).map((one) => one.text)

  it('readParagraphs joins wrapped lines, hyphens included', () => {
    expect(
      paragraphs(
        'Tea is a drink that is made of leaves which grow in gar-\ndens on hills and which are dried before they are sold to\npeople who like it.',
      ),
    ).toEqual([
      'Tea is a drink that is made of leaves which grow in gardens on hills and which are dried before they are sold to people who like it.',
    ])
  })

  it('readParagraphs separates headings, items and paragraphs', () => {
    expect(paragraphs('On tea\n\n1 Introduction\nTea is warm.\n• It is green.\n• It is black.')).toEqual([
      'On tea',
      '1 Introduction',
      'Tea is warm.',
      '• It is green.',
      '• It is black.',
    ])
  })

  it('readParagraphs cuts a very long line', () => {
    expect(Math.max(...paragraphs('word '.repeat(100_000)).map((text) => text.length))).toBeLessThanOrEqual(5000)
  })
})

describe('readHeading', () => {
  it.each([
    ['5.4 Results', 'results', 2],
    ['A B S T R A C T', 'abstract', 0],
    ['MATERIALS AND METHODS', 'methods', 0],
    ['IV. DISCUSSION', 'discussion', 1],
    ['7 Conclusion and Future Work', 'conclusion', 1],
    ['6.1 Recommendations', 'recommendations', 2],
    ['Threats to Validity', 'limitations', 0],
    ['References', 'references', 0],
    ['Acknowledgements', 'back', 0],
    ['Ergebnisse', 'results', 0],
    ['3 The Tea Kitchen', null, 1],
  ])('readHeading reads %j', (text, role, depth) => {
    expect(readHeading(text)).toEqual({ role, depth })
  })

  it.each([
    'Results show that tea is warm.',
    '12 Germany 505 22.7%',
    'Output: Trace Links',
    'tea',
    '1. Remove the cup.',
  ])('readHeading returns null for %j', (text) => expect(readHeading(text)).toBeNull())
})
