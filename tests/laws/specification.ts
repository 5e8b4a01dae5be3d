import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** One row of docs/specification.md: a requirement and its tests, or the reason for no test. */
interface Requirement {
  id: string
  words: string
  /** Each `path › test name`. */
  tests: string[]
  /** 'tested'; 'later': not implemented yet; 'untested': implemented without a test. */
  state: 'tested' | 'later' | 'untested'
}

const ROW = /^\| ([A-Z]+-\d{2,3}) \| (.*) \| (.*) \|$/

/** Returns the rows of the table in order. */
export function requirementsOf(markdown: string): Requirement[] {
  return markdown.split('\n').flatMap((line) => {
    const [, id, words, checked] = ROW.exec(line) ?? []
    if (id === undefined || words === undefined || checked === undefined) return []
    const tests = [...checked.matchAll(/`([^`]+ › [^`]+)`/g)].map((found) => found[1]!)
    const state = /^not yet: \S/.test(checked) ? 'later' : checked === 'no test yet' ? 'untested' : 'tested'
    return [{ id, words, tests, state }]
  })
}

/** Returns the titles of all tests in a file. Placeholders such as `%s` are not replaced. */
export function testTitles(text: string): string[] {
  // A call of `it`, `test`, or of the result of `each` or `skipIf`, with a title and then a function or options.
  const calls = /(?<=\b(?:it|test)|\))\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1,\s*(?:async\s*)?(?:\(|\{|\w+\s*=>)/g
  return [...text.matchAll(calls)].map(([, , title]) => title!.replaceAll(/\\(['"`])/g, '$1'))
}

/** Returns the problems of the rows, one line each. */
export function problemsOf(rows: readonly Requirement[], read: (path: string) => string | null = readTest): string[] {
  const seen = new Set<string>()
  const titles = new Map<string, string[] | null>()
  const titlesOf = (path: string) => {
    if (!titles.has(path)) {
      const text = read(path)
      titles.set(path, text === null ? null : testTitles(text))
    }
    return titles.get(path) ?? null
  }
  const found: string[] = []
  for (const { id, words, tests, state } of rows) {
    if (seen.has(id)) found.push(`${id} is listed twice`)
    seen.add(id)
    if (!words.trim()) found.push(`${id} has no text`)
    if (state === 'tested' && tests.length === 0) found.push(`${id} names no test`)
    for (const test of tests) {
      const [path = '', ...rest] = test.split(' › ')
      const name = rest.join(' › ')
      const all = titlesOf(path)
      if (all === null) found.push(`${id}: there is no file ${path}`)
      else if (!all.includes(name)) {
        const holding = new Set(all.filter((title) => title.includes(name))).size
        if (holding !== 1) found.push(`${id}: ${holding} tests of ${path} are called “${name}”`)
      }
    }
  }
  return found
}

function readTest(path: string): string | null {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null
}
