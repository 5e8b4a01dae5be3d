import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A row of docs/specification.md: a requirement, and the test files that check it. `words`: the text of the requirement. */
interface Requirement {
  id: string
  words: string
  /** Paths of the test files. In each file, the title of at least one test ends with the id of the requirement in brackets. */
  files: string[]
  /**
   * 'tested': the row names test files. 'later': the feature does not exist yet. 'untested': the feature exists, but has no
   * test.
   */
  state: 'tested' | 'later' | 'untested'
}

const ROW = /^\| ([A-Z]+-\d{2,3}) \| (.*) \| (.*) \|$/
/** Matches the requirement ids at the end of a test title, such as 'list: is paged (DOC-03, DOC-04)'. */
const TITLE_IDS = /\(((?:[A-Z]+-\d{2,3})(?:, [A-Z]+-\d{2,3})*)\)$/

/** Parses docs/specification.md and returns the rows of its tables, in order. */
export function requirementsOf(markdown: string): Requirement[] {
  return markdown.split('\n').flatMap((line) => {
    const [, id, words, checked] = ROW.exec(line) ?? []
    if (id === undefined || words === undefined || checked === undefined) return []
    const files = [...checked.matchAll(/`([^`]+)`/g)].map((found) => found[1]!)
    const state = /^not yet: \S/.test(checked) ? 'later' : checked === 'no test yet' ? 'untested' : 'tested'
    return [{ id, words, files, state }]
  })
}

/** Returns the titles of all tests in the source of a test file. Placeholders such as `%s` are not replaced. */
export function testTitles(text: string): string[] {
  // A call of `it`, `test`, or of the result of `it.each(...)`, with a title and then a function or options.
  const calls = /(?<=\b(?:it|test)|\))\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1,\s*(?:async\s*)?(?:\(|\{|\w+\s*=>)/g
  return [...text.matchAll(calls)].map(([, , title]) => title!.replaceAll(/\\(['"`])/g, '$1'))
}

/** Returns the requirement ids in the test titles of the source of a test file. */
function idsIn(text: string): Set<string> {
  return new Set(testTitles(text).flatMap((title) => TITLE_IDS.exec(title)?.[1]?.split(', ') ?? []))
}

/**
 * Returns the errors of the rows, one line each. A row must have a unique id and a text. A tested row must name a file. In each
 * named file, a test title must end with the id. `read` returns the text of a file, or null if the file does not exist.
 */
export function problemsOf(rows: readonly Requirement[], read: (path: string) => string | null = readTest): string[] {
  const seen = new Set<string>()
  const known = new Map<string, Set<string> | null>()
  const idsOf = (path: string) => {
    if (!known.has(path)) {
      const text = read(path)
      known.set(path, text === null ? null : idsIn(text))
    }
    return known.get(path) ?? null
  }
  const found: string[] = []
  for (const { id, words, files, state } of rows) {
    if (seen.has(id)) found.push(`${id} occurs twice`)
    seen.add(id)
    if (!words.trim()) found.push(`${id} has no words`)
    if (state === 'tested' && files.length === 0) found.push(`${id} names no test`)
    for (const path of files) {
      const ids = idsOf(path)
      if (ids === null) found.push(`${id}: there is no file ${path}`)
      else if (!ids.has(id)) found.push(`${id}: no test title of ${path} ends with (${id})`)
    }
  }
  return found
}

function readTest(path: string): string | null {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null
}
