import { parseSync, Visitor } from 'rolldown/utils'
import type { SourceFile } from './source-files.ts'

/** A text of a file: a comment, a string, a text of JSX or a Markdown file. `at`: its offset in the file. */
export interface Prose {
  text: string
  at: number
}

/** Replaces all characters except line breaks by spaces, so that offsets do not change. */
export const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')

/** Parses a source file. Returns its comments, and its strings, parts of templates and JSX texts. */
export function proseOf({ path, text }: SourceFile): { comments: Prose[]; texts: Prose[] } {
  const parsed = parseSync(path, text)
  const comments = parsed.comments.map(({ value, start }) => ({
    text: value.replaceAll(/^\s*\*/gm, blank),
    at: start + '/*'.length,
  }))
  const texts: Prose[] = []
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') texts.push({ text: value, at: start + 1 })
    },
    TemplateElement: ({ value, start }) => {
      texts.push({ text: value.raw, at: start })
    },
    JSXText: ({ value, start }) => {
      texts.push({ text: value, at: start })
    },
  }).visit(parsed.program)
  return { comments, texts }
}

/** Returns the line of an offset in a text. The first line is 1. */
export const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length
