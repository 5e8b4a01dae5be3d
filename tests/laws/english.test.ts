import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { brokenEnglish, brokenPages, CLEAN_FOLDERS, CLEAN_PAGES, vagueNames } from './english-laws.ts'
import { sourceFiles } from './source-files.ts'

/** Files that are not checked: the files of this law, which contain the forbidden words. */
const QUOTES = /^tests\/laws\/english/

const at = (path: string) => new URL(`../../${path}`, import.meta.url)
const pagesOf = (path: string) =>
  path.endsWith('.md')
    ? [path]
    : readdirSync(at(path))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${path}/${name}`)
const read = (path: string) => ({ path, text: readFileSync(at(path), 'utf8') })

describe('the English law', () => {
  it.each(CLEAN_FOLDERS)('The English law finds no wrong words in %s', (folder) => {
    const files = sourceFiles(folder).filter(({ path }) => !QUOTES.test(path))
    expect(files.length).toBeGreaterThan(0)
    expect(brokenEnglish(files)).toEqual([])
  })

  it('Variables and functions have names that describe their values', () => {
    expect(vagueNames(sourceFiles(...CLEAN_FOLDERS).filter(({ path }) => !QUOTES.test(path)))).toEqual([])
  })

  it('The law of names reports the line of a vague name, and accepts properties and words of texts', () => {
    const text = "const a = 1\nconst told = a\nconst row = { told: a }\nconst b = 'const told'"
    expect(vagueNames([{ path: 'server/x.ts', text }])).toEqual(['server/x.ts:2: told'])
  })

  it('The English law finds no wrong words in the rewritten Markdown files', () => {
    expect(brokenPages(CLEAN_PAGES.flatMap(pagesOf).map(read))).toEqual([])
  })

  it.each([
    ['a comment', '/** Whoever asks gets it. */'],
    ['the second line of a comment', '/**\n * Returns the rows.\n * What was deleted is hidden.\n */'],
    ['a line comment', '// Nobody reads this.'],
    ['a string', "const text = 'The picture is made anew'"],
    ['a template', 'const text = `${name} is told so`'],
    ['a JSX text', 'const row = <p>Somebody else\n is here</p>'],
    ['a title', "it('lets in who has a code', () => {})"],
    ['a repetition', '// Tries the call once more.'],
    ['a condition', '// Accepts the file, whatever its name.'],
    ['a place', '// The text stands on the page.'],
    ['a description', "z.string().describe('what was stored')"],
  ])('The English law reports a wrong word in %s', (_where, text) => {
    expect(brokenEnglish([{ path: 'server/chat/example.tsx', text }])).toHaveLength(1)
  })

  it.each([
    ['a name', 'const nobody = null'],
    ['a regular expression', 'const pattern = /[\'"`]nobody/'],
    ['a question', "const title = 'What is an evidence level?'"],
    ['a relative clause with its noun', '// Skips a user who has no e-mail address.'],
  ])('The English law accepts %s', (_what, text) => {
    expect(brokenEnglish([{ path: 'server/chat/example.tsx', text }])).toEqual([])
  })

  it('The English law reports the line and the alternative', () => {
    const text = '/**\n * Returns the rows.\n * It is made anew.\n */'
    expect(brokenEnglish([{ path: 'server/x.ts', text }])).toEqual(["server/x.ts:3: 'anew': write 'again'"])
  })

  it('The English law checks the prose of Markdown and not its code', () => {
    const text = 'See `whoever`.\n\n```sh\nnobody\n```\n\nThis is in vain.'
    expect(brokenPages([{ path: 'a.md', text }])).toEqual(["a.md:7: 'in vain': write 'without effect'"])
  })
})
