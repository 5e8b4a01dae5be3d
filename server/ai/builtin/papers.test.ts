import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { extractText, stopExtraction } from '#server/extraction/index.ts'
import { findPassage } from '#shared/find-passage.ts'
import { splitPages } from '#shared/page-text.ts'
import { analyzeExtractively } from './analysis.ts'
import { isReadable } from './sentences.ts'

/** Real papers that lie beside the checkout on some machines; what their first pages print. */
const folder = new URL('../../../../shared/data/papers/', import.meta.url)
const papers = [
  [
    'cc-acm-2024-keim',
    'Recovering Trace Links Between Software Documentation And Code',
    '10.1145/3597503.3639130',
    '2024-04-14',
    'International Conference on Software Engineering',
  ],
  [
    'cc-emse-2020-pandemic',
    'Pandemic programming: How COVID-19 affects software developers and how their organizations can help',
    '10.1007/s10664-020-09875-y',
    '2020-09-14',
    'Empirical Software Engineering',
  ],
  [
    'cc-jose-00118',
    'Neuromatch Academy: a 3-week, online summer school in computational neuroscience',
    '10.21105/jose.00118',
    '2022-03-31',
    'Journal of Open Source Education',
  ],
  [
    'cc-jose-00149',
    'EPIDEMIC: Epidemiology Educational Code',
    '10.21105/jose.00149',
    '2022-04-27',
    'Journal of Open Source Education',
  ],
  [
    'cc-jose-00180',
    'SNIK Graph—Visualizing Knowledge about Management of Hospital Information Systems',
    '10.21105/jose.00180',
    '2024-07-09',
    'Journal of Open Source Education',
  ],
  [
    'cc-peerj-2019-bogner',
    'On the impact of service-oriented patterns on software evolvability: a controlled experiment and metric-based analysis',
    '10.7717/peerj-cs.213',
    '2019-08-19',
    'PeerJ Computer Science',
  ],
  [
    'cc-plosntd-lassa-p2',
    'Lassa Fever in Post-Conflict Sierra Leone',
    '10.1371/journal.pntd.0002748',
    '2014-03-20',
    'PLOS Neglected Tropical Diseases',
  ],
] as const

const isHere = existsSync(folder)
if (!isHere)
  process.stderr.write('SKIPPED: the sample papers are not here; the built-in analysis is not tried on them.\n')

describe.skipIf(!isHere)('the built-in analysis of real papers', () => {
  afterAll(() => stopExtraction())

  it.each(papers)('%s', async (name, title, doi, date, journal) => {
    const extracted = await extractText(fileURLToPath(new URL(`${name}.pdf`, folder)))
    const { result, quotes } = analyzeExtractively(extracted)
    expect([result.title, result.doi, result.publication_date]).toEqual([title, doi, date])
    expect(result.journal).toContain(journal)
    const pages = splitPages(extracted.text)
    const quoted = quotes.filter((one) => ['summary', 'insights', 'lifestyle_recommendations'].includes(one.field))
    expect(quoted.filter((one) => one.field === 'summary').length).toBeGreaterThanOrEqual(3)
    expect(result.insights.length).toBeGreaterThan(0)
    for (const { statement, quote } of quoted) {
      expect([statement, isReadable(statement), findPassage(pages, quote!).score]).toEqual([statement, true, 1])
    }
    // A text that comes without its PDF (an API's user, OCR) tells title and DOI as well.
    const plain = analyzeExtractively({ text: extracted.text }).result
    expect(plain.doi).toBe(doi)
    expect(title).toContain(plain.title)
  })
})
