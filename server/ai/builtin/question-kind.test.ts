import { expect, it } from 'vitest'
import { KINDS, questionKind } from './question-kind.ts'

it.each([
  'The programme cost 212 euros per participant.',
  'Seeds for one garden cost €212.',
  'One injection costs 1,200 US dollars.',
  'The groups cost EUR 40 per session.',
  'A tube was sold for £3.50.',
  'A week of care cost her CHF 1,450.',
  'A message cost about US$ 0.04.',
  'The project received 3.5 million euros.',
  'A ticket costs two euros.',
])('An amount of money is recognized in %j', (text) => {
  expect(KINDS.money.test(text)).toBe(true)
})

it.each([
  'The babies were three pounds heavier.',
  'The euro was introduced in 2002.',
  'The costs were low.',
  'In 1997 European towns had 12 clubs.',
])('No amount of money is recognized in %j', (text) => {
  expect(KINDS.money.test(text)).toBe(false)
})

it.each([
  ['When did the trial begin?', 'date'],
  ['How costly is the test?', 'money'],
  ['What do the clinics charge?', 'money'],
  ['How many nurses took part?', 'number'],
  // These costs are consequences.
  ['What are the costs of being late?', 'list'],
  ['Did the naps help?', null],
])('questionKind: %j asks for %j', (question, kind) => {
  expect(questionKind(question)).toBe(kind)
})
