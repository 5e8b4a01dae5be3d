import { afterAll, describe, expect, it } from 'vitest'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'
import { embedSentences, planBatches } from './embeddings.ts'

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0)

afterAll(stopWorkerPools)

describe('planBatches', () => {
  it('planBatches puts every text into exactly one batch, in order, and limits texts and characters', () => {
    const texts = Array.from({ length: 200 }, (_, index) => 'x'.repeat((index * 37) % 900))
    const batches = planBatches([...texts, ...Array.from({ length: 100 }, () => 'short')])
    expect(batches.flat()).toEqual(Array.from({ length: 300 }, (_, index) => index))
    const characters = batches.map((batch) =>
      batch.reduce((sum, position) => sum + Math.min(600, texts[position]?.length ?? 5), 0),
    )
    expect(Math.max(...characters)).toBeLessThanOrEqual(10_000)
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(96)
  })
})

describe('embedSentences', () => {
  it('embedSentences returns one vector of length 1 per text, in order, for any batches', async () => {
    const long = 'The participants of the first group needed less time. '.repeat(20)
    const texts = ['A dog barks.', long, 'Mortality fell by a third.', '', 'The hound was barking.']
    const vectors = await embedSentences(texts)
    expect(vectors).toHaveLength(5)
    for (const vector of vectors) {
      expect(vector).toHaveLength(384)
      expect(dot(vector, vector)).toBeCloseTo(1, 4)
    }
    const alone = await embedSentences(['Mortality fell by a third.'])
    // The quantization of a text depends on the other texts of its batch.
    expect(dot(alone[0]!, vectors[2]!)).toBeGreaterThan(0.97)
    expect(dot(vectors[0]!, vectors[4]!)).toBeGreaterThan(dot(vectors[0]!, vectors[2]!) + 0.2)
  })

  it('embedSentences returns no vectors for no texts', async () => {
    expect(await embedSentences([])).toEqual([])
  })

  it('embedSentences does not block the event loop', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    await embedSentences(Array.from({ length: 40 }, (_, index) => `Sentence ${index} about the study and its results.`))
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(5)
  })

  it('embedSentences stops when aborted and serves the next caller', async () => {
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

  it('embedSentences rejects when its worker is ended, and starts a new one for the next call', async () => {
    const lost = embedSentences(
      Array.from({ length: 300 }, (_, index) => `Sentence ${index} that will not be finished.`),
    )
    await Promise.all([expect(lost).rejects.toThrow('stopped'), stopWorkerPools()])
    expect(await embedSentences(['A new worker.'])).toHaveLength(1)
  })

  it('embedSentences refuses too many texts', async () => {
    await expect(embedSentences(Array.from({ length: 50_001 }, () => 'x'))).rejects.toThrow('at most 50,000 texts')
  })
})
