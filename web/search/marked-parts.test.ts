import { expect, it } from 'vitest'
import { markedParts, type Span } from './marked-parts.ts'

it.each<[Span, Span[], string[]]>([
  [[0, 17], [], ['Deep sleep helps.']],
  [[0, 17], [[5, 10]], ['Deep ', 'sleep', ' helps.']],
  [[0, 8], [[5, 10]], ['Deep ', 'sle', '']],
  [[8, 17], [[5, 10]], ['', 'ep', ' helps.']],
  [[11, 17], [[5, 10]], ['helps.']],
])('markedParts splits %j at the highlights %j', (span, marks, parts) => {
  expect(markedParts('Deep sleep helps.', span, marks)).toEqual(parts)
})
