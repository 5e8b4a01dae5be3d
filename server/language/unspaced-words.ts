import { UNSPACED } from '#shared/passages/whole-words.ts'

/** A part of a text at an offset. `isWord` is true for a word of a script without spaces between words, such as Chinese. */
interface TextPart {
  text: string
  start: number
  isWord: boolean
}

/** A run of letters of these scripts, with the marks that only they use, such as the prolonged sound mark of Japanese. */
const RUN = new RegExp(
  String.raw`${UNSPACED.source}[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]*`,
  'gu',
)

/**
 * Splits words by the dictionaries of ICU (https://unicode-org.github.io/icu/userguide/boundaryanalysis/). They do not depend
 * on the locale. 100,000 characters take about 0.1 s.
 */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * Returns the parts of a text in order: the words of Chinese, Japanese, Thai, Lao, Khmer and Burmese, and the text between
 * them. Punctuation of these scripts is omitted.
 */
export function splitUnspaced(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const run of text.matchAll(RUN)) {
    if (run.index > end) parts.push({ text: text.slice(end, run.index), start: end, isWord: false })
    for (const { segment, index, isWordLike } of segmenter.segment(run[0]))
      if (isWordLike) parts.push({ text: segment, start: run.index + index, isWord: true })
    end = run.index + run[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end), start: end, isWord: false })
  return parts
}
