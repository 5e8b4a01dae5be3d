import type { Block } from './export-blocks.ts'
import type { TextRun } from './text-runs.ts'

const PREFIXES: Record<Block['kind'], string> = {
  title: '# ',
  question: '## ',
  heading: '### ',
  note: '',
  paragraph: '',
  source: '- ',
  quote: '> ',
}

/**
 * Returns paragraphs as Markdown (CommonMark). Characters of models' and papers' text that would be Markdown syntax are
 * escaped.
 */
export function writeMarkdown(blocks: readonly Block[]): string {
  const paragraphs = blocks.map(({ kind, runs }) => {
    const text = runs
      .map(markdownOf)
      .join('')
      .replaceAll(/\s*\n\s*/g, ' ')
    return `${PREFIXES[kind]}${kind === 'note' ? `*${text}*` : text}`
  })
  return `${paragraphs.join('\n\n')}\n`
}

function markdownOf({ text, italic, bold, position }: TextRun): string {
  const [, before, words, after] = /^(\s*)([^]*?)(\s*)$/.exec(escape(text))!
  if (words === '') return text
  const mark = italic ? '*' : bold ? '**' : ''
  const raised =
    position === undefined
      ? words
      : `<${position === 'super' ? 'sup' : 'sub'}>${words}</${position === 'super' ? 'sup' : 'sub'}>`
  return `${before}${mark}${raised}${mark}${after}`
}

/**
 * Escapes characters that have a meaning in Markdown, and the beginning of a line that Markdown would read as a list, a heading
 * or a quote.
 */
const escape = (text: string) =>
  text.replaceAll(/[\\`*_{}[\]<>|~&!]/g, String.raw`\$&`).replaceAll(/^(\s*)([#+-]|\d+[.)])(?=\s)/gm, String.raw`$1\$2`)
