import { expect, it } from 'vitest'
import { splitPages } from '../pdf-text/page-text.ts'
import { placeOf } from './place-of.ts'

const pages = splitPages('[Page 1]\nNaps helped older\nadults fall asleep 😀.\n\n[Page 2]\nNothing else.')

it('Evidence has the exact text of the page and up to 32 characters on each side (FND-20)', () => {
  expect(placeOf(pages, 'helped older adults')).toEqual({
    page: 1,
    start: 5,
    end: 24,
    quote: 'helped older\nadults',
    prefix: 'Naps ',
    suffix: ' fall asleep 😀.',
    match: 'letters',
    score: 1,
  })
  const long = splitPages(`[Page 1]\n${'😀'.repeat(40)}xQuoted wordsx${'😀'.repeat(40)}`)
  const { prefix, suffix } = placeOf(long, 'Quoted words')
  expect([prefix.isWellFormed(), suffix.isWellFormed(), prefix.length, suffix.length]).toEqual([true, true, 31, 31])
})

it('A quote that is not in the text has no place (FND-21)', () => {
  expect(placeOf(pages, 'Coffee prevents every disease', { nearPage: 1 })).toEqual({
    page: null,
    start: null,
    end: null,
    quote: 'Coffee prevents every disease',
    prefix: '',
    suffix: '',
    match: 'none',
    score: 0,
  })
})
