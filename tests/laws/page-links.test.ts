import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { brokenLinks, unknownCommands } from './page-links.ts'
import { markdownPages } from './source-files.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const pages = markdownPages()
const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { scripts: Record<string, string> }

it('Every link of a Markdown page names an existing file and an existing heading', () => {
  expect(pages.length).toBeGreaterThan(50)
  expect(brokenLinks(pages, (path) => existsSync(at(path)))).toEqual([])
})

it('Every npm command of a Markdown page is a script of package.json', () => {
  expect(unknownCommands(pages, Object.keys(scripts))).toEqual([])
})

it.each([
  ['a missing file', '[x](docs/none.md)'],
  ['a missing heading of the page', '# Start\n\n[x](#end)'],
  ['a missing heading of another page', '[x](b.md#none)'],
  ['a missing picture', '<img src="docs/none.png">'],
])('The law of links reports %s', (_what, text) => {
  const sample = [
    { path: 'a.md', text },
    { path: 'b.md', text: '# Up and `down`' },
  ]
  expect(brokenLinks(sample, (path) => ['a.md', 'b.md'].includes(path))).toHaveLength(1)
})

it.each([
  ['another site', '[x](https://example.org/none)'],
  ['code', '`[x](none.md)`'],
  ['a heading with code and punctuation', '[x](docs/b.md#up-and-down-again)'],
  ['a page in the folder above', '[x](docs/../b.md)'],
])('The law of links accepts %s', (_what, text) => {
  const sample = [
    { path: 'a.md', text },
    { path: 'docs/b.md', text: '## Up and `down`, again' },
  ]
  expect(brokenLinks(sample, (path) => ['a.md', 'b.md', 'docs/b.md'].includes(path))).toEqual([])
})

it('The law of commands reports a command that is no script', () => {
  const sample = [{ path: 'a.md', text: 'Run `npm run none` and `npm run bench -- papers`.' }]
  expect(unknownCommands(sample, ['bench'])).toEqual(['a.md: npm run none'])
})
