import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { findPassage } from '#shared/passages/find-passage.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'
import { extractText, inspectPdf } from './extract-text.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../tests/fixtures/${name}`, import.meta.url))

afterAll(stopWorkerPools)

describe('extractText', () => {
  it('extractText returns the words in reading order, without running heads and line-end hyphens', async () => {
    const { text, pageCount, warning } = await extractText(fixture('paper.pdf'))
    // Superscript digits count as digits.
    const words = splitPages(text).flatMap((page) => page.text.normalize('NFKC').split(/\s+/))
    expect(words).toEqual((await readFile(fixture('paper.txt'), 'utf8')).trim().split(/\s+/))
    expect({ pageCount, warning }).toEqual({ pageCount: 4, warning: null })
  })

  it('extractText returns headings on separate lines', async () => {
    const { text } = await extractText(fixture('paper.pdf'))
    const lines = text.split('\n')
    for (const heading of [
      'Abstract',
      '1 Introduction',
      '2.1 Study design and participants',
      '6 Limitations',
      'References',
    ])
      expect(lines).toContain(heading)
  })

  it('extractText returns a table row as one line with tabs between its cells, and a quote of it is found', async () => {
    const { text } = await extractText(fixture('paper.pdf'))
    const row = 'Age, years\t71.4 (5.2)\t71.8 (5.5)'
    expect(text.split('\n')).toContain(row)
    const found = findPassage(splitPages(text), 'Age, years 71.4 (5.2) 71.8 (5.5)')
    expect(found).toMatchObject({ score: 1 })
    expect(splitPages(text)[found.page! - 1]!.text.slice(found.start!, found.end!)).toBe(row)
  })

  it('extractText returns the metadata of the PDF and its first page', async () => {
    const { metadata, firstPage } = await extractText(fixture('paper.pdf'))
    expect(metadata).toMatchObject({
      title: 'Evening group walking for older adults with poor sleep: a randomised controlled trial',
      author: 'Maren Oldfield, Tobias Quist, Ines Caldeira',
      doi: '10.5555/jeht.2025.0147',
      creationDate: '2025-03-14T09:00:00Z',
    })
    const largest = firstPage.lines.filter((line) => line.size > 17).map((line) => line.text)
    expect(largest).toEqual([
      'Evening group walking for older adults with poor sleep: a',
      'randomised controlled trial',
    ])
    expect(firstPage.lines.map((line) => line.text)).toContain('J Everyday Health Trials 2025; 7(2): 101–105')
  })

  it('extractText reports progress page by page', async () => {
    const pages: number[][] = []
    await extractText(fixture('paper.pdf'), { onProgress: (page, of) => pages.push([page, of]) })
    expect(pages.at(-1)).toEqual([4, 4])
  })
})

describe('extractText: unusual files', () => {
  it.each([
    ['paper-scan.pdf', 'scan'],
    ['garbled.pdf', 'garbled'],
  ])('%s gets the warning %s', async (name, warning) => {
    expect(await extractText(fixture(name))).toMatchObject({ warning })
  })

  it.each([
    ['truncated.pdf', undefined, 'damaged_file', 'This file is damaged and cannot be read as a PDF.'],
    ['html-named.pdf', undefined, 'damaged_file', 'This file is damaged and cannot be read as a PDF.'],
    ['paper-password.pdf', undefined, 'password_required', 'This PDF is protected by a password.'],
    ['paper-password.pdf', 'shut', 'password_wrong', 'The password is not right.'],
    ['no-such.pdf', undefined, 'not_found', 'File not found'],
  ])('%s (password %s) is refused as %s', async (name, password, code, message) => {
    await expect(extractText(fixture(name), { password })).rejects.toMatchObject({ code, message })
    await expect(inspectPdf(fixture(name), { password })).rejects.toMatchObject({ code, message })
  })

  it('A protected PDF opens with its password', async () => {
    const open = await extractText(fixture('paper.pdf'))
    expect((await extractText(fixture('paper-password.pdf'), { password: 'open sesame' })).text).toBe(open.text)
  })

  it('Reading a hostile file can be cancelled', async () => {
    const control = new AbortController()
    setTimeout(() => control.abort(new Error('enough')), 500)
    await expect(extractText(fixture('hostile.pdf'), { signal: control.signal })).rejects.toThrow('enough')
  })
})
