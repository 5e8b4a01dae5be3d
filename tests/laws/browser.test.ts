import { expect, it } from 'vitest'
import { dependentTests } from './browser-laws.ts'
import { sourceFiles } from './source-files.ts'

it('Every browser test opens its own address', () => {
  const files = sourceFiles('tests/e2e').filter(({ path }) => path.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(20)
  expect(dependentTests(files)).toEqual([])
})

const problems = (text: string) => dependentTests([{ path: 'tests/e2e/a.test.ts', text }])

it.each([
  ['opens nothing', "it('a', async () => { await page.reload() })"],
  ['of a table opens nothing', "it.each([1])('a', async () => {})"],
  ['is beside a group with the hook', "describe('x', () => { beforeEach(() => page.goto('/')) })\nit('a', () => {})"],
  ['only names a function that opens', "const open = () => page.goto('/')\nit('a', () => { void open })"],
])('The browser law reports a test that %s', (_what, text) => {
  expect(problems(text)).toEqual(["tests/e2e/a.test.ts: 'a'"])
})

it.each([
  ['itself', "it('a', async () => { await page.goto('/') })"],
  ['by a hook of the file', "beforeEach(() => page.goto('/'))\ndescribe('x', () => { it('a', () => {}) })"],
  ['by a hook of its group', "describe('x', () => { beforeEach(() => page.goto('/')); it('a', () => {}) })"],
  ['by a function', "function open() { return page.goto('/') }\nit('a', () => open())"],
  ['by a function of a function', "const b = () => c()\nconst c = () => page.goto('/')\nit('a', () => b())"],
])('The browser law accepts a test that opens its address %s', (_how, text) => {
  expect(problems(text)).toEqual([])
})
