import { expect, it } from 'vitest'
import { callCost } from './prices.ts'

it.each([
  ['gpt-4o-mini', 1_000_000, 1_000_000, 0.75],
  ['gpt-4o-mini-2024-07-18', 1_000_000, 0, 0.15],
  ['openai/gpt-4o', 1_000_000, 0, 2.5],
  ['mistral-large-latest', 0, 1_000_000, 6],
  ['text-embedding-3-small', 500_000, 0, 0.01],
  ['llama3.2', 1000, 500, 0.15],
  ['gpt-4o-audio-preview', 1000, 0, 0.1],
  ['gpt-4o', 0, 0, 0],
])('A call of %s: %i tokens in and %i out cost %d dollars', (model, tokensIn, tokensOut, dollars) => {
  expect(callCost(model, tokensIn, tokensOut)).toBeCloseTo(dollars, 10)
})
