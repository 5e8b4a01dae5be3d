import { MAX_TEXT_CHARACTERS, MAX_TEXT_PAGES } from '#shared/contract/text-limits.ts'

/**
 * Returns a text with the maximum number of characters and pages of a stored text. It begins with a sentence about naps and
 * contains only ASCII characters.
 */
export function largestText(): string {
  const size = Math.floor(MAX_TEXT_CHARACTERS / MAX_TEXT_PAGES)
  const words = 'Words of no paper follow each other here, line after line.\n'.repeat(Math.ceil(size / 59))
  const pages = Array.from({ length: MAX_TEXT_PAGES }, (_, n) => {
    const begin = `[Page ${n + 1}]\n${n === 0 ? 'Naps helped older adults fall asleep.\n' : ''}`
    return (
      begin +
      words
        .slice(0, size - begin.length - 2)
        .trimEnd()
        .padEnd(size - begin.length - 2, '.') +
      '\n\n'
    )
  })
  return pages.join('').slice(0, MAX_TEXT_CHARACTERS - 1) + '.'
}
