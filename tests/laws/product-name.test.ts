import { describe, expect, it } from 'vitest'
import { needlessExceptions, productNames } from './product-name.ts'
import { isTest, sourceFiles } from './source-files.ts'

const files = sourceFiles('server', 'web', 'shared').filter(({ path }) => !isTest(path))

describe('the law of the product name', () => {
  it('Texts of the web app and messages of the server contain no product name: it is a setting (NAV-12)', () => {
    expect(productNames(files)).toEqual([])
  })

  it('Each exception is needed', () => {
    expect(needlessExceptions(files)).toEqual([])
  })

  it.each([
    ['a string', "const about = 'Lectern reads papers.'"],
    ['a template', 'throw new AppError(`Lectern has no style ${id}.`)'],
    ['an attribute', 'const state = <Empty about="Lectern has styles." />'],
    ['a JSX text', 'const text = <p>\n  Lectern stores a hash.</p>'],
  ])('The law of the product name reports %s', (_where, text) => {
    expect(productNames([{ path: 'web/keys/x.tsx', text }])).toHaveLength(1)
  })

  it.each([
    ['a comment', '/** The fields that Lectern reads. */'],
    ['an id', "const KEY = 'lectern.project'\nconst name = 'LECTERN_KEY'"],
    ['the setting', 'const text = <p>{product_name} stores a hash.</p>'],
  ])('The law of the product name accepts %s', (_what, text) => {
    expect(productNames([{ path: 'web/keys/x.tsx', text }])).toEqual([])
  })

  it('The law of the product name reports the line', () => {
    expect(productNames([{ path: 'web/x.tsx', text: 'const a = <p>\n  Lectern\n</p>' }])).toEqual(['web/x.tsx:2'])
  })
})
