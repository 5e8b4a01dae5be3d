import { describe, expect, it } from 'vitest'
import { displayName } from './names.ts'
import { splitName } from './split-name.ts'

describe('splitName', () => {
  it.each([
    ['Ada Lovelace', { given: 'Ada', family: 'Lovelace' }],
    ['J. A. Smith', { given: 'J. A.', family: 'Smith' }],
    ['Jean-Paul  Sartre', { given: 'Jean-Paul', family: 'Sartre' }],
    ['Ludwig van Beethoven', { given: 'Ludwig', 'non-dropping-particle': 'van', family: 'Beethoven' }],
    ['Ana de la Cruz Soto', { given: 'Ana', 'non-dropping-particle': 'de la', family: 'Cruz Soto' }],
    ['Martin Luther King Jr.', { given: 'Martin Luther', family: 'King', suffix: 'Jr.' }],
    ['Martin Luther King, Jr.', { given: 'Martin Luther', family: 'King', suffix: 'Jr.' }],
    ['van der Waals, Johannes', { given: 'Johannes', 'non-dropping-particle': 'van der', family: 'Waals' }],
    ['García Márquez, Gabriel', { given: 'Gabriel', family: 'García Márquez' }],
    ['Иван Петров', { given: 'Иван', family: 'Петров' }],
  ])('splitName: %s has a safe split (FND-04)', (text, name) => {
    expect(splitName(text)).toEqual(name)
  })

  it.each([
    'Plato',
    '張偉',
    'World Health Organization',
    'The RECOVERY Collaborative Group',
    'Smith JA',
    'Ada Lovelace, PhD',
    'One, Two, Three',
    'Maria Teresa Anna Luisa Carlotta Chiara Rossi',
    'CARDIoGRAMplusC4D',
    'Department of Neurology',
  ])('splitName: %s has no safe split and stays literal (FND-04)', (text) => {
    expect(splitName(text)).toEqual({ literal: text })
  })
})

describe('displayName', () => {
  it.each(['Ludwig van Beethoven', 'Martin Luther King Jr.', 'Ana de la Cruz Soto', 'Smith JA', 'Plato'])(
    'displayName: %s is written as before its split',
    (text) => expect(displayName(splitName(text))).toBe(text),
  )
})
