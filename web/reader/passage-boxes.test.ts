import { describe, expect, it } from 'vitest'
import { type Box, columnEdges, marginBars, mergeLines } from './passage-boxes.ts'

const box = (left: number, top: number, width: number, height = 0.01): Box => ({ left, top, width, height })

describe('mergeLines', () => {
  it('mergeLines makes one box of the words of a line', () => {
    const lines = mergeLines([box(0.1, 0.2, 0.1), box(0.205, 0.2, 0.1), box(0.1, 0.215, 0.3)], 0.7)
    expect(lines).toHaveLength(2)
    expect(lines[0]!.width).toBeCloseTo(0.205)
  })

  it('mergeLines includes a superscript in its line', () => {
    expect(mergeLines([box(0.1, 0.2, 0.1), box(0.201, 0.197, 0.01, 0.007)], 0.7)).toHaveLength(1)
  })

  it('mergeLines separates two columns at the same height', () => {
    expect(mergeLines([box(0.1, 0.9, 0.38), box(0.52, 0.9, 0.38)], 0.7)).toHaveLength(2)
  })
})

describe('marginBars', () => {
  it('marginBars draws one bar for consecutive lines and another one for the next column, each left of its column', () => {
    const lines = [box(0.1, 0.9, 0.4), box(0.1, 0.915, 0.4), box(0.52, 0.1, 0.4), box(0.52, 0.115, 0.2)]
    const bars = marginBars(lines, lines)
    expect(bars.map((bar) => bar.top)).toEqual([0.9, 0.1])
    expect(bars[0]!.height).toBeCloseTo(0.025)
    expect(bars[0]!.left).toBeCloseTo(0.086)
    expect(bars[1]!.left).toBeCloseTo(0.506)
  })

  it('marginBars puts the bar at the column of a passage that begins inside a line', () => {
    const starts = [box(0.1, 0.2, 0.4), box(0.52, 0.2, 0.4)]
    expect(marginBars([box(0.3, 0.2, 0.1)], starts)[0]!.left).toBeCloseTo(0.086)
    expect(marginBars([box(0.7, 0.2, 0.1)], starts)[0]!.left).toBeCloseTo(0.506)
  })

  it('marginBars puts the bar of a line of the full width at its left edge, beyond the edge of the second column', () => {
    const columns = [0.5, 0.52, 0.54].flatMap((top) => [box(0.1, top, 0.4), box(0.52, top, 0.4)])
    const abstract = [box(0.12, 0.2, 0.7), box(0.12, 0.22, 0.7)]
    expect(marginBars([box(0.6, 0.2, 0.1)], [...columns, ...abstract])[0]!.left).toBeCloseTo(0.106)
  })

  it('marginBars stays inside the page', () => {
    expect(marginBars([box(0.002, 0.2, 0.1)], [box(0.002, 0.2, 0.1)])[0]!.left).toBeGreaterThan(0)
  })
})

describe('columnEdges', () => {
  const column = (left: number, lines: number) => Array.from({ length: lines }, () => left)

  it('columnEdges finds the columns, and neither line numbers nor words within a line', () => {
    const words = Array.from({ length: 80 }, (_, at) => 0.11 + at * 0.0047)
    expect(columnEdges([...column(0.1, 40), ...column(0.52, 38), ...column(0.03, 8), ...words])).toEqual([0.1, 0.52])
  })

  it('columnEdges has one edge for a page of one column, and none for an empty page', () => {
    expect(columnEdges([...column(0.15, 30), ...column(0.17, 6)])).toEqual([0.15])
    expect(columnEdges([])).toEqual([])
    // Edges this close belong to one column.
    expect(columnEdges([...column(0.1024, 20), ...column(0.1026, 20)])).toEqual([0.1024])
  })
})
