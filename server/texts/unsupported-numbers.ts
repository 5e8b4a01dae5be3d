import { splitSentences } from '#shared/passages/sentences.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import type { PageText } from '#shared/pdf-text/page-text.ts'
import { decimalSeparator, printedNumbers, spacedNumbers, valuesOf } from './written-numbers.ts'

const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )

/**
 * Returns the numbers in `text`, a sentence of an answer, that the sentences of the paper at `passages` do not contain. The
 * sentences before and after them count too, because a model often combines two sentences and cites one. Equal numbers can be
 * written differently: '1,200' and '1200', 'two' and '2' (up to twenty). '1.5' and '15' are different numbers. Returns [] if no
 * passage was found.
 */
export function unsupportedNumbers(
  text: string,
  passages: readonly FoundPassage[],
  pages: readonly PageText[],
): string[] {
  const found = passages.filter(({ match, start }) => match !== 'none' && start !== null)
  if (found.length === 0) return []
  return numbersWithout(text, found.map((passage) => sentencesAt(passage, pages)).join('\n'))
}

/**
 * Returns the numbers of `text` that `source` does not contain. Equal numbers can be written differently ('1,200' and '1200').
 */
export function numbersWithout(text: string, source: string): string[] {
  const [own, other] = [decimalSeparator(text), decimalSeparator(source)]
  const ofText = own ?? other ?? '.'
  const ofSource = other ?? own ?? '.'
  const known = new Set([...printedNumbers(source), ...spacedNumbers(source)].flatMap((one) => valuesOf(one, ofSource)))
  for (const word of source.toLowerCase().match(/\p{L}+/gu) ?? [])
    if (WORDS.includes(word)) known.add(String(WORDS.indexOf(word)))
  const isKnown = (number: string) => valuesOf(number, ofText).some((value) => known.has(value))
  const spaced = spacedNumbers(text).filter(isKnown)
  const rest = spaced.reduce((left, number) => left.replaceAll(number, ' '), text)
  return [...new Set(printedNumbers(rest))].filter((number) => !isKnown(number))
}

/** Returns the sentences of the page that a passage touches, and one sentence before and after them. */
function sentencesAt({ page, start, end }: FoundPassage, pages: readonly PageText[]): string {
  const text = pages.find((one) => one.page === page)?.text ?? ''
  const spans = splitSentences(text)
  const first = spans.findIndex((span) => span.end > start!)
  const last = spans.findLastIndex((span) => span.start < end!)
  if (first < 0 || last < 0) return text.slice(start!, end!)
  return text.slice(spans[Math.max(0, first - 1)]!.start, spans[Math.min(spans.length - 1, last + 1)]!.end)
}
