import { parseSync } from 'rolldown/utils'
import type { SourceFile } from './source-files.ts'

/** Maximum characters of a line of a comment. The formatter does not wrap comments. */
export const WIDEST_COMMENT = 128

/** Returns the lines of comments that are too wide, as `file:line: width`. Only files with a wide line are parsed. */
export const wideComments = (files: SourceFile[]): string[] =>
  files.flatMap(({ path, text }) => {
    const lines = text.split('\n')
    const isWide = (line: string) => line.length > WIDEST_COMMENT
    if (!lines.some(isWide)) return []
    const lineAt = (at: number) => text.slice(0, at).split('\n').length
    const spans = parseSync(path, text).comments.map(({ start, end }) => [lineAt(start), lineAt(end)] as const)
    return lines.flatMap((line, index) =>
      isWide(line) && spans.some(([first, last]) => index + 1 >= first && index + 1 <= last)
        ? [`${path}:${index + 1}: ${line.length}`]
        : [],
    )
  })

/** Matches an exported function or constant without a docstring in the line before it. */
const MAY_LACK = /(?:^|(?<!\*\/)\n)export (?:async |function|const )/

/**
 * Returns the exported functions without a docstring, as `file: name`. The first of several signatures of a function has the
 * docstring. Only files with an export that no docstring precedes are parsed.
 */
export const undocumented = (files: SourceFile[]): string[] =>
  files
    .filter(({ text }) => MAY_LACK.test(text))
    .flatMap(({ path, text }) => {
      const { comments, program } = parseSync(path, text)
      const ends = comments.filter(({ value }) => value.startsWith('*')).map(({ end }) => end)
      const hasDocstring = (start: number) => ends.some((end) => end <= start && text.slice(end, start).trim() === '')
      const documented = new Set<string>()
      return program.body.flatMap((node) => {
        if (node.type !== 'ExportNamedDeclaration') return []
        const names = functionNames(node.declaration)
        if (hasDocstring(node.start)) for (const name of names) documented.add(name)
        return names.filter((name) => !documented.has(name)).map((name) => `${path}: ${name}`)
      })
    })

type Program = ReturnType<typeof parseSync>['program']
type Declaration = Extract<Program['body'][number], { type: 'ExportNamedDeclaration' }>['declaration']

/** Returns the names of the functions that a declaration defines. */
function functionNames(declaration: Declaration): string[] {
  if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'TSDeclareFunction')
    return declaration.id ? [declaration.id.name] : []
  if (declaration?.type !== 'VariableDeclaration') return []
  return declaration.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' && (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression')
      ? [id.name]
      : [],
  )
}
