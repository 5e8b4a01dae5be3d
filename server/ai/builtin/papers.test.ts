import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { extractText } from '#server/extraction/index.ts'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'
import { findPassage } from '#shared/passages/find-passage.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { pdfOf, readTestPapers } from '#tests/helpers/papers.ts'
import { analyzeExtractively } from './analysis.ts'
import { isReadable } from './sentences.ts'

/**
 * The test papers whose journal the analysis finds. It finds a journal only if the head or foot of a page has its name with a
 * volume.
 */
const JOURNAL_IS_FOUND = new Set(['fever-markers', 'night-shift-survey'])

describe('built-in analysis of several layouts', () => {
  afterAll(() => stopWorkerPools())

  // The rules of the built-in analysis are English.
  it.each(readTestPapers().filter(({ lang }) => lang === 'en'))(
    'The built-in analysis reads the paper $name',
    async (paper) => {
      const extracted = await extractText(fileURLToPath(pdfOf(paper)))
      const { result, quotes } = analyzeExtractively(extracted)
      expect([result.title, result.doi, result.publication_date]).toEqual([paper.title, paper.doi, paper.published])
      expect(result.journal ?? '').toContain(JOURNAL_IS_FOUND.has(paper.name) ? paper.journal : '')
      const pages = splitPages(extracted.text)
      const quoted = quotes.filter((one) => ['summary', 'insights', 'lifestyle_recommendations'].includes(one.field))
      expect(quoted.filter((one) => one.field === 'summary').length).toBeGreaterThanOrEqual(3)
      expect(result.insights.length).toBeGreaterThan(0)
      for (const { statement, quote } of quoted) {
        expect([statement, isReadable(statement), findPassage(pages, quote!).score]).toEqual([statement, true, 1])
      }
      // A text without its PDF (sent by an API client, or from OCR) still has the DOI.
      expect(analyzeExtractively({ text: extracted.text }).result.doi).toBe(paper.doi)
    },
  )
})
