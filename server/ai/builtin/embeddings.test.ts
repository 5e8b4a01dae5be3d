import { afterAll, describe, expect, it } from 'vitest'
import { stopBuiltIn } from '../builtin-pool.ts'
import { BUILT_IN_EMBEDDING, embedSentences, planBatches } from './embeddings.ts'

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0)

afterAll(stopBuiltIn)

describe('planBatches', () => {
  it('puts every text into exactly one batch, in order, and bounds a batch by texts and by characters', () => {
    const texts = Array.from({ length: 200 }, (_, index) => 'x'.repeat((index * 37) % 900))
    const batches = planBatches([...texts, ...Array.from({ length: 100 }, () => 'short')])
    expect(batches.flat()).toEqual(Array.from({ length: 300 }, (_, index) => index))
    const characters = batches.map((batch) =>
      batch.reduce((sum, position) => sum + Math.min(600, texts[position]?.length ?? 5), 0),
    )
    expect(Math.max(...characters)).toBeLessThanOrEqual(8000)
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(64)
  })
})

describe('embedSentences', () => {
  it('gives one vector of length 1 for each text, in order, whatever the batches', async () => {
    const long = 'The participants of the first group needed less time. '.repeat(20)
    const texts = ['A dog barks.', long, 'Mortality fell by a third.', '', 'The hound was barking.']
    const vectors = await embedSentences(texts)
    expect(vectors).toHaveLength(5)
    for (const vector of vectors) {
      expect(vector).toHaveLength(BUILT_IN_EMBEDDING.dimension)
      expect(dot(vector, vector)).toBeCloseTo(1, 4)
    }
    const alone = await embedSentences(['Mortality fell by a third.'])
    expect(dot(alone[0]!, vectors[2]!)).toBeGreaterThan(0.999)
    expect(dot(vectors[0]!, vectors[4]!)).toBeGreaterThan(dot(vectors[0]!, vectors[2]!) + 0.2)
  })

  it('answers nothing for nothing', async () => {
    expect(await embedSentences([])).toEqual([])
  })

  it('leaves the event loop free while it works', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    await embedSentences(Array.from({ length: 40 }, (_, index) => `Sentence ${index} about the study and its results.`))
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(5)
  })

  it('stops on request and serves the next caller', async () => {
    const stop = new AbortController()
    const texts = Array.from({ length: 400 }, (_, index) => `Sentence ${index} about a study of many participants.`)
    const aborted = embedSentences(texts, { person: 'ada', signal: stop.signal })
    stop.abort(new Error('The reader went away'))
    await expect(aborted).rejects.toThrow('The reader went away')
    expect(await embedSentences(['Still here.'])).toHaveLength(1)
    await expect(embedSentences(['Too late.'], { person: 'ada', signal: stop.signal })).rejects.toThrow(
      'The reader went away',
    )
  })

  it('tells the caller when the worker is taken away, and starts a new one for the next', async () => {
    const lost = embedSentences(
      Array.from({ length: 300 }, (_, index) => `Sentence ${index} that will not be finished.`),
    )
    await Promise.all([expect(lost).rejects.toThrow('stopped'), stopBuiltIn()])
    expect(await embedSentences(['A new worker.'])).toHaveLength(1)
  })

  it('refuses more than it can hold', async () => {
    await expect(embedSentences(Array.from({ length: 50_001 }, () => 'x'))).rejects.toThrow('at most 50,000 texts')
  })
})
