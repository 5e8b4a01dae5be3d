import { describe, expect, it } from 'vitest'
import { anchorOf, type PageSize, pageAt, pagesNear, scrollTopFor, stackPages } from './page-stack.ts'

const A4: PageSize = { width: 595, height: 842 }

describe('stackPages', () => {
  it('stackPages uses the size of the first page until another size is known', () => {
    const stack = stackPages(3, new Map([[1, A4]]), 595)
    expect(stack.heights).toEqual([842, 842, 842])
    expect(stack.tops).toEqual([16, 874, 1732])
    expect(stack.total).toBe(2590)
  })

  it('stackPages scales pages of other shapes to the same width', () => {
    const stack = stackPages(
      2,
      new Map([
        [1, A4],
        [2, { width: 842, height: 595 }],
      ]),
      595,
    )
    expect(stack.heights).toEqual([842, Math.round((595 * 595) / 842)])
  })
})

describe('pageAt', () => {
  const stack = stackPages(3, new Map([[1, A4]]), 595)
  it.each([
    [-50, 1],
    [0, 1],
    [873, 1],
    [874, 2],
    [1740, 3],
    [99_999, 3],
  ])('pageAt %d is page %d', (y, page) => expect(pageAt(stack, y)).toBe(page))
})

describe('pagesNear', () => {
  it('pagesNear includes one screen above and below the viewport', () => {
    const stack = stackPages(100, new Map([[1, A4]]), 595)
    expect(pagesNear(stack, 50 * 858, 800)).toEqual({ first: 50, last: 52 })
  })
})

describe('anchor', () => {
  it('The anchor keeps the reading position when the width changes', () => {
    const narrow = stackPages(20, new Map([[1, A4]]), 400)
    const wide = stackPages(20, new Map([[1, A4]]), 900)
    const anchor = anchorOf(narrow, 5000, 700)
    const back = anchorOf(wide, scrollTopFor(wide, anchor), 700)
    expect(back.page).toBe(anchor.page)
    expect(back.share).toBeCloseTo(anchor.share, 3)
  })

  it('The anchor keeps the reading position when the size of a page above becomes known', () => {
    const before = stackPages(20, new Map([[1, A4]]), 595)
    const after = stackPages(
      20,
      new Map([
        [1, A4],
        [2, { width: 842, height: 595 }],
      ]),
      595,
    )
    const anchor = anchorOf(before, 4000, 700)
    expect(scrollTopFor(after, anchor)).toBeCloseTo(4000 - (842 - after.heights[1]!), 6)
  })
})
