import { expect, it } from 'vitest'
import { asksForAmount, asksForHarm } from './harms-and-costs.ts'
import { typicalWords } from './typical-words.ts'

it.each([
  'What side effects did the gel have?',
  'Was the treatment safe?',
  'Were there any serious adverse events?',
  'What harm did the club cause?',
  'Which complications occurred?',
  'How well was the drug tolerated?',
])('asksForHarm recognizes %j', (question) => {
  expect(asksForHarm(question)).toBe(true)
  expect(typicalWords(question)).toContain('adverse events')
})

it.each([
  'Do helmets prevent harm?',
  'How were adverse events recorded?',
  'Which hospital had the best safety culture?',
  'Did the gel relieve pain?',
  'Who was assigned to a safety leaflet?',
  'How long did patients with complications stay in hospital?',
  'How dangerous is this illness?',
  'How can older adults safely exercise at home?',
  'How do nurses keep patients safe?',
  'What makes wards safe?',
  'What harms the sleep of nurses?',
  'Does air pollution harm children?',
  'Which patients had complications?',
])('asksForHarm does not recognize %j', (question) => {
  expect(asksForHarm(question)).toBe(false)
})

it.each([
  'How much did the programme cost?',
  'What was the price of the gel?',
  'What does a text message cost?',
  'How expensive is one injection?',
  'What do carers pay for respite care?',
  'What is the cost of screening?',
  'What was the cost of living in dollars?',
  'How much is the cost of not vaccinating a child?',
])('asksForAmount recognizes %j', (question) => {
  expect(asksForAmount(question)).toBe(true)
  expect(typicalWords(question)).toContain('price')
})

it.each([
  'How much did costs fall?',
  'Which factors affect the costs of care?',
  'What does the programme pay for?',
  'How much pain did the patients have?',
  'What do the authors conclude?',
  'What are the costs of not sleeping?',
  'What is the cost of being absolutely certain?',
])('asksForAmount does not recognize %j', (question) => {
  expect(asksForAmount(question)).toBe(false)
})
