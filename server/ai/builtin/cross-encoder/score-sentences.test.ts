import { describe, expect, it } from 'vitest'
import { NOT_READ, readTogether } from './read-together.ts'
import { loadCrossEncoder } from './score-sentences.ts'

const TRIAL = [
  'Of the 128 patients who were randomised, 119 completed the visit after twelve weeks.',
  'Walking distance rose by 41 m in the exercise group and by 9 m in the control group.',
  'Four patients of the exercise group fell, none of them with a fracture.',
  'The sessions took place on Tuesdays in the gymnasium of the hospital.',
]
const BEES = [
  'Hives were weighed every second week from April to September.',
  'Colonies near rapeseed gained 12 kg more than those in the forest.',
]
const encoder = await loadCrossEncoder(1)

describe('loadCrossEncoder', () => {
  it('loadCrossEncoder loads the model although a package has extended all arrays', async () => {
    const prototype = Object.getPrototypeOf([]) as object
    Reflect.defineProperty(prototype, 'extended', { value: () => null, enumerable: true, configurable: true })
    try {
      expect(await loadCrossEncoder(1)).toBeDefined()
    } finally {
      Reflect.deleteProperty(prototype, 'extended')
    }
  })
})

describe('scoreSentences', () => {
  it.each([
    ['By how many metres did walking distance rise in the exercise group?', 1],
    ['Where did people train?', 3],
    ['How many people were still in the study at its end?', 0],
  ])('scoreSentences gives the sentence that answers the highest score: %s', async (question, answer) => {
    const [scores] = await encoder.scoreSentences(question, [TRIAL])
    expect(scores!.indexOf(Math.max(...(scores as number[])))).toBe(answer)
  })

  it('scoreSentences gives lower scores when no sentence answers', async () => {
    const highest = async (question: string) =>
      Math.max(...((await encoder.scoreSentences(question, [TRIAL]))[0] as number[]))
    const answered = await highest('How many patients of the exercise group fell?')
    expect(await highest('How many patients of the control group fell?')).toBeLessThan(answered - 1)
    expect(await highest('How much honey did the hives give?')).toBeLessThan(answered - 3)
  })

  it('scoreSentences returns about the same scores for passages in one call and alone', async () => {
    const question = 'How much heavier were the colonies near rapeseed?'
    const passages = [TRIAL, BEES, TRIAL.slice(1), BEES.slice(1), TRIAL.slice(2)]
    const together = await encoder.scoreSentences(question, passages)
    for (const [at, passage] of passages.entries()) {
      const [alone] = await encoder.scoreSentences(question, [passage])
      // The quantization uses one scale for all numbers of a batch, so the scores depend on the other passages.
      for (const [place, score] of alone!.entries()) expect(Math.abs(score! - together[at]![place]!)).toBeLessThan(1.5)
    }
  })

  it('scoreSentences returns null for sentences beyond the maximum number of tokens', async () => {
    const passage = Array.from({ length: 40 }, () => TRIAL).flat()
    const [scores] = await encoder.scoreSentences('Who fell?', [passage])
    expect(scores).toHaveLength(passage.length)
    expect(scores!.filter((one) => one === null).length).toBeGreaterThan(100)
    expect(scores![0]).not.toBeNull()
  })
})

describe('readTogether', () => {
  const texts = [...TRIAL, ...BEES]
  const load = () => Promise.resolve(encoder)
  const mustNotLoad = () => Promise.reject(new Error('The cross-encoder was loaded.'))

  it('readTogether returns a score for each text, by its passage', async () => {
    const scores = await readTogether('Who fell?', { texts, passages: [[0, 1, 2, 3], [5]] }, load)
    expect(scores).toHaveLength(6)
    expect(scores!.indexOf(Math.max(...scores!))).toBe(2)
    expect(scores![4]).toBe(NOT_READ)
  })

  it('readTogether does not load the model for a general question', async () => {
    expect(await readTogether('What did the study find?', { texts, passages: [[0, 1, 2, 3]] }, mustNotLoad)).toBeNull()
  })

  it('readTogether does not load the model for other languages', async () => {
    expect(await readTogether('Wie viele Kranke sind gestürzt?', { texts, passages: [[0, 1]] }, mustNotLoad)).toBeNull()
    const german = ['Vier Kranke stürzten während der Übungen.', 'Die Gruppe ging danach weiter als vor dem Beginn.']
    expect(await readTogether('Who fell?', { texts: german, passages: [[0, 1]] }, mustNotLoad)).toBeNull()
  })
})
