import { describe, expect, it } from 'vitest'
import type { CslName } from '#shared/contract/references.ts'
import { anyOrder, displayName, familyFirst, familyText, initialsLast, nameKey, sortedName } from './names.ts'

describe('names', () => {
  it.each<[string, CslName]>([
    ['Okafor, Ike M.', { family: 'Okafor', given: 'Ike M.' }],
    ['van den Berg, Lotte', { 'non-dropping-particle': 'van den', family: 'Berg', given: 'Lotte' }],
    ['Humboldt, Alexander von', { family: 'Humboldt', given: 'Alexander', 'dropping-particle': 'von' }],
    ['King, Martin Luther, Jr.', { family: 'King', given: 'Martin Luther', suffix: 'Jr.' }],
    ['King, Jr., Martin Luther', { family: 'King', given: 'Martin Luther', suffix: 'Jr.' }],
    ['World Health Organization', { literal: 'World Health Organization' }],
    ['Okafor I.M.', { family: 'Okafor', given: 'I.M.' }],
    ['University of California, Berkeley,', { literal: 'University of California, Berkeley' }],
    ['Dept. A, Institute B, City C, Country', { literal: 'Dept. A, Institute B, City C, Country' }],
  ])('familyFirst reads %s', (text, name) => {
    expect(familyFirst(text)).toEqual(name)
  })

  it.each<[string, CslName | undefined]>([
    ['Smith JA', { family: 'Smith', given: 'JA' }],
    ['van der Berg J.-P.', { 'non-dropping-particle': 'van der', family: 'Berg', given: 'J.-P.' }],
    ['Smith JA Jr', { family: 'Smith', given: 'JA', suffix: 'Jr' }],
    ['Kim Min-ji', undefined],
  ])('initialsLast reads %s', (text, name) => {
    expect(initialsLast(text)).toEqual(name)
  })

  it.each<[string, CslName]>([
    ['Ike M. Okafor', { given: 'Ike M.', family: 'Okafor' }],
    ['Ludwig van Beethoven', { given: 'Ludwig', 'non-dropping-particle': 'van', family: 'Beethoven' }],
    ['Martin Luther King Jr.', { given: 'Martin Luther', family: 'King', suffix: 'Jr.' }],
    ['Okafor, Ike', { family: 'Okafor', given: 'Ike' }],
    ['Okafor IM', { family: 'Okafor', given: 'IM' }],
    ['National Institute of Health', { literal: 'National Institute of Health' }],
    ['Plato', { literal: 'Plato' }],
  ])('anyOrder reads %s', (text, name) => {
    expect(anyOrder(text)).toEqual(name)
  })

  it.each<[CslName, string, string]>([
    [
      { 'non-dropping-particle': 'van', family: 'Gogh', given: 'Vincent', suffix: 'III' },
      'van Gogh, Vincent, III',
      'Vincent van Gogh III',
    ],
    [
      { family: 'Humboldt', given: 'Alexander', 'dropping-particle': 'von' },
      'Humboldt, Alexander von',
      'Alexander von Humboldt',
    ],
    [{ literal: 'World Health Organization' }, 'World Health Organization', 'World Health Organization'],
  ])('sortedName and displayName write %o as %s and as %s', (name, sorted, displayed) => {
    expect(sortedName(name)).toBe(sorted)
    expect(displayName(name)).toBe(displayed)
    expect(familyFirst(sorted)).toEqual(name)
  })

  it('nameKey is equal for different forms of a name', () => {
    const key = nameKey({ family: 'Müller', given: 'Jörg' })
    expect(key).toBe('muller')
    expect(nameKey({ 'non-dropping-particle': 'van', family: 'Müller' })).toBe(key)
    expect(nameKey({ literal: 'Müller J' })).toBe(key)
    expect(familyText({ 'non-dropping-particle': 'van', family: 'Müller' })).toBe('van Müller')
  })

  it('familyFirst and anyOrder return undefined for an empty name', () => {
    expect([familyFirst(' , '), anyOrder('')]).toEqual([undefined, undefined])
  })
})
