import { parseSync, Visitor } from 'rolldown/utils'
import type { SourceFile } from './source-files.ts'

/**
 * A call of `it`, `describe` or `beforeEach`, or a named function, in a test file. `name`: the source of the first argument of
 * the call, or the name of the function. `text`: its source. `start` and `end`: offsets in the file.
 */
interface Piece {
  name: string
  text: string
  start: number
  end: number
}

/** Finds the calls and functions of a test file and groups them by kind. `it.each`, `it.skipIf` and the like count as `it`. */
function piecesOf({ path, text }: SourceFile) {
  const found = { it: [] as Piece[], describe: [] as Piece[], beforeEach: [] as Piece[], functions: [] as Piece[] }
  const add = (kind: keyof typeof found, name: string, { start, end }: { start: number; end: number }) =>
    found[kind].push({ name, text: text.slice(start, end), start, end })
  new Visitor({
    CallExpression: (node) => {
      const callee = text.slice(node.callee.start, node.callee.end)
      const kind = /^(it|describe|beforeEach)(?:$|\.(?:each|skipIf|only)\b)/.exec(callee)?.[1]
      // `it.each(rows)` has no title: the call of its result has one.
      if (kind === undefined || /^\w+\.(?:each|skipIf)$/.test(callee)) return
      const [first] = node.arguments
      add(kind as 'it', first ? text.slice(first.start, first.end) : '', node)
    },
    FunctionDeclaration: (node) => add('functions', node.id?.name ?? '', node),
    VariableDeclarator: (node) => {
      if (node.id.type === 'Identifier') add('functions', node.id.name, node)
    },
  }).visit(parseSync(path, text).program)
  return found
}

/** Returns the names of the functions that navigate to an address (`page.goto`), directly or through another function. */
function openers(functions: Piece[]): Set<string> {
  const names = new Set<string>()
  for (let size = -1; size < names.size;) {
    size = names.size
    for (const { name, text } of functions) if (opens(text, names)) names.add(name)
  }
  return names
}

const opens = (text: string, names: Set<string>) =>
  /\.goto\(/.test(text) || [...text.matchAll(/(?<![\w$.])([\w$]+)\(/g)].some(([, name]) => names.has(name!))

/**
 * Returns `file: title` for every browser test that navigates to no address, neither itself nor in a `beforeEach` that applies
 * to it. Such a test depends on the page that an earlier test left.
 */
export function dependentTests(files: SourceFile[]): string[] {
  return files.flatMap((file) => {
    const { it, describe, beforeEach, functions } = piecesOf(file)
    const isIn = (inner: Piece, outer: Piece) => inner.start > outer.start && inner.end < outer.end
    const names = openers(functions.filter((piece) => !it.some((test) => isIn(piece, test))))
    const opening = beforeEach.filter(({ text }) => opens(text, names))
    const applies = (hook: Piece, test: Piece) =>
      describe.filter((group) => isIn(hook, group)).every((group) => isIn(test, group))
    return it
      .filter((test) => !opens(test.text, names) && !opening.some((hook) => applies(hook, test)))
      .map(({ name }) => `${file.path}: ${name}`)
  })
}
