import { describe, expect, it } from 'vitest'
import { findMissing } from './find-missing.ts'

const PAPER =
  '[Page 1]\nSolder joints of 96 boards were cycled in a chamber at 40 °C. The boards came from the workshop of Adams, and they were ' +
  'tested with NVIDIA GPUs and a graphics program in C++. Each joint cost less than $2 and was weighed in mg. The mean age of the ' +
  'volunteers who looked at them was 42 years, and the voltage was 5 V in all of the tests with an artificial intelligence.'
const missing = (question: string) => findMissing(question, PAPER)

describe('findMissing', () => {
  it.each<[what: string, question: string, expected: string[]]>([
    ['an acronym', 'Which TPU was used for the tests?', ['TPU']],
    ['a name', 'Were the boards made by Zimmer?', ['Zimmer']],
    ['two names', 'Did the authors use Python or Julia?', ['Python', 'Julia']],
    ['a number', 'What happened to the 212 boards?', ['212']],
    ['a rare word', 'Was there plagiarism in the tests?', ['plagiarism']],
    ['a unit', 'How many watts did the boards need?', ['watts']],
    ['a currency', 'What does a joint cost in yen?', ['yen']],
    ['a counted thing', 'How many beetles were found?', ['beetles']],
    ['a measured thing', 'How much resin was needed?', ['resin']],
    ['a quantity', 'What was the humidity in the chamber?', ['humidity']],
  ])('findMissing returns %s that the text never mentions', (_what, question, expected) => {
    expect(missing(question)).toEqual(expected)
  })

  it.each<[what: string, question: string]>([
    ['a name at the beginning of the question', 'Zimmer: who is it?'.replace('Zimmer', 'Adams')],
    ['the plural of an acronym', 'Which GPU was used?'],
    ['the words of an acronym', 'Was an AI used?'],
    ['a number in another grouping', 'Were 42 years the mean?'],
    ['a symbol of a unit', 'How many dollars did a joint cost? How many milligrams, how many volts?'],
    ['a symbol of a temperature', 'At how many degrees Celsius was the chamber?'],
    ['a quantity in other words', 'How old were the volunteers? What was the price?'],
    ['common words that can be synonyms', 'How did people examine whether the material lasts?'],
    ['people and things that have many names', 'How many participants were there? How many items?'],
    ['general words after how much', 'How much longer did it take?'],
  ])('findMissing accepts %s', (_what, question) => {
    expect(missing(question)).toEqual([])
  })

  it('findMissing compares numbers by their values', () => {
    const paper = '[Page 1]\nOf the 1,200 boards, 96 got 1.5 mg of resin, and 2400mg were left.'
    expect(findMissing('Did 1200 boards get resin, or 2400?', paper)).toEqual([])
    expect(findMissing('Did 96 boards get 15 mg?', paper)).toEqual(['15'])
  })

  it('findMissing counts uncommon words only if the other words are in one passage', () => {
    const question = 'Were the solder joints of the boards tested for rigidity?'
    expect(findMissing(question, PAPER)).toEqual([])
    expect(findMissing(question, PAPER, { isFocused: true })).toEqual(['rigidity'])
  })

  it('findMissing seeks the words of a part of a question, and reads the language from the whole question', () => {
    const question = 'Do all of the studies agree that Zimmer tested the boards?'
    expect(findMissing(question, PAPER, { part: 'Zimmer tested the boards' })).toEqual(['Zimmer'])
    expect(findMissing(question, PAPER, { part: 'the boards cracked' })).toEqual([])
  })

  it('findMissing names common things and quantities that the text does not contain', () => {
    expect(findMissing('How many of the workers owned a dog or bicycles?', PAPER)).toEqual(['dog', 'bicycles'])
    expect(findMissing('What was the alcohol consumption of the workers?', PAPER)).toEqual(['alcohol'])
  })

  it('findMissing reads 400,000 digits in linear time', () => {
    const question = 'Which version of the program was used?'
    const digits = `${'The boards were in the chamber. '.repeat(700)}${'1'.repeat(400_000)}`
    expect(findMissing(question, digits)).toContain('version')
    expect(findMissing(question, `${digits}.22.333`)).not.toContain('version')
  })

  it('findMissing applies no rules of English to other languages', () => {
    const paper =
      '[Page 1]\nDie Lötstellen der Platinen wurden in einer Kammer geprüft. Alle Platinen kamen aus der Werkstatt.'
    expect(findMissing('Welche Wirkung hatten Linden auf die Platinen?', paper)).toEqual([])
    expect(findMissing('How many boards broke in the chamber?', paper)).toEqual([])
    expect(findMissing('Welche GPU wurde benutzt?', paper)).toEqual(['GPU'])
  })
})
