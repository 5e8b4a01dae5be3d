import { describe, expect, it } from 'vitest'
import { partAsked } from './question-part.ts'

describe('partAsked', () => {
  it.each([
    ['What is this paper about?', 'overview'],
    ['Please summarise the article in three sentences', 'overview'],
    ['What is the main contribution?', 'overview'],
    ['What did the study find?', 'findings'],
    ['What are the key results?', 'findings'],
    ['What were the conclusions of the trial?', 'findings'],
    ['How was the study conducted?', 'methods'],
    ['What are the limitations?', 'limitations'],
    ['Who are the authors?', 'authors'],
    ['What is future work?', 'future'],
    ['What did the study find about sleep?', null],
    ['How many participants were there?', null],
    ['What did they do?', null],
    ['', null],
  ])('%j asks for %s', (question, part) => {
    expect(partAsked(question)).toBe(part)
  })
})
