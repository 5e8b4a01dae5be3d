import { expect, it } from 'vitest'
import { numbersWithout } from './unsupported-numbers.ts'

it.each([
  ['1500 people', '1,500 people', []],
  ['1,500 people', '1500 people', []],
  ['1500 people', '1 500 people, 1\u202F200 of them women', []],
  ['1 500 people', '1,500 people', []],
  ['a mean of 1.5 hours', 'a mean of 15 hours', ['1.5']],
  ['a mean of 15 hours', 'a mean of 1.5 hours', ['15']],
  ['a mean of 1.5 hours', 'im Mittel 1,5 Stunden', []],
  ['im Mittel 1,5 Stunden', 'a mean of 1.5 hours', []],
  ['1.500 Personen verloren 2,5 kg', '1,500 people lost 2.5 kg', []],
  ['1,500 people lost 2.5 kg', '1.500 Personen verloren 2,5 kg', []],
  ['1.5 kg', '1,500 people lost 2.5 kg', ['1.5']],
  ['a mean of 1.500', 'a mean of 1,500', ['1.500']],
  ['1.234.567 and 1,234,567.5', '1234567 and 1234567.50', []],
  ['p < 0.001', 'p < .001', []],
  ['p < 0.05', 'p = 0·05', []],
  ['a gain of 0.50', 'a gain of 0.5', []],
  ['two of 12', 'Two of twelve (see 1.2.3)', []],
  ['in 2015 and 300', 'in 2015 300 patients', []],
  ['recall of 9.', 'It improved recall.9', []],
  ['It ended in 2019.', 'It ended in 2018.', ['2019']],
])('The numbers of %j in %j are compared by their values', (text, source, missing) => {
  expect(numbersWithout(text, source)).toEqual(missing)
})

it('A number with 500,000 zeros is read in linear time', () => {
  expect(numbersWithout('a mean of 1.5', `a mean of 0.${'0'.repeat(500_000)}1`)).toEqual(['1.5'])
})
