import { describe, expect, it } from 'vitest'
import type { FirstPage } from '#shared/pdf-text/page-layout.ts'
import { frontMatter } from './first-page.ts'
import { findJournal } from './journal-name.ts'
import { readParagraphs } from './paragraphs.ts'

const front = (text: string, firstPage: FirstPage | null = null) =>
  frontMatter(readParagraphs([{ page: 1, text, start: 0 }]), firstPage)
const pageOf = (...lines: [size: number, y: number, text: string][]): FirstPage => ({
  width: 600,
  height: 800,
  lines: lines.map(([size, y, text]) => ({ size, y, text, x: 50 })),
})

describe('findJournal', () => {
  it.each([
    ['Annals of Tea Research (2020) 25:4927–4961', null, 'Annals of Tea Research'],
    ['Tea and Health | www.tea.example 1 March 2014 | Volume 8', null, 'Tea and Health'],
    ['Bee et al. (2022). On tea. Journal of Warm Drinks, 5(49), 118.', null, 'Journal of Warm Drinks'],
    ['Journal of Warm Drinks', null, 'Journal of Warm Drinks'],
    [
      'How to cite this article Bee A. 2019. On tea. PeerJ Comput. Sci. 5:e213',
      '10.7717/peerj-cs.213',
      'PeerJ Computer Science',
    ],
    [
      'Ann Bee. 2024. On Tea. In 2024 International Conference on Drinks (ICD ’24), April 14–20',
      null,
      '2024 International Conference on Drinks (ICD ’24)',
    ],
  ])('findJournal reads the journal in %j', (text, doi, name) => {
    expect(findJournal(front(text), doi, null)?.value).toBe(name)
  })

  it.each([
    ['Storage Systems Letters\n\nOn tea', 'Storage Systems Letters'],
    ['Zeitschrift für Tee und Schlaf\n\nOn tea', 'Zeitschrift für Tee und Schlaf'],
    ['Tea Papers in Public Economics, No. 2017-31\n\nOn tea', 'Tea Papers in Public Economics'],
    ['Original Research\n\nOn tea', undefined],
    ['Research Article\n\nOn tea', undefined],
    ['Review of Tea Research\n\nAnn Bee', undefined],
  ])('findJournal reads the row above the title in %j', (text, name) => {
    expect(findJournal(front(text), null, null, { title: 'Review of Tea Research' })?.value).toBe(name)
  })

  it('findJournal reads a name that only the heads of later pages have', () => {
    const page = { ...pageOf([18, 700, 'On tea']), heads: ['Bee and Dee', 'Annals of Tea Research 25 (2020) 4–9'] }
    expect(findJournal(front('On tea', page), null, null)?.value).toBe('Annals of Tea Research')
  })

  it('findJournal reads a running head of two lines', () => {
    const page = pageOf([8, 55, 'Bee et al. (2024). On tea. Journal of Warm'], [8, 45, 'Drinks, 7 (77), 180.'])
    expect(findJournal(front('On tea', page), null, null)?.value).toBe('Journal of Warm Drinks')
  })

  it('findJournal takes neither a short title nor a month in the running heads for a journal', () => {
    const title = 'Kettle: A General Framework for Warm Drinks and Cold Drinks in Winter'
    for (const head of ['Kettle: Warm Drinks in Winter', 'February']) {
      const page = { ...pageOf([18, 700, title]), heads: [head] }
      expect(findJournal(front(title, page), null, null, { title })).toBeNull()
    }
  })

  it('findJournal ignores the journal of a cited paper', () => {
    const text = 'On tea\n\nAn article about kettles was published in Tea News (Bee, 2008).'
    expect(findJournal(front(text), null, null, { title: 'On tea' })).toBeNull()
  })

  it('findJournal returns null when the page prints none', () => {
    expect(findJournal(front('On tea\n\nAnn Bee'), null, null)).toBeNull()
  })
})

const TITLE = 'Reed beds and the decline of bitterns'

/** Returns the journal of a first page that has rows above the title, running heads and further paragraphs. */
function journalOf({ above = [], heads = [], after = [] }: { above?: string[]; heads?: string[]; after?: string[] }) {
  const rows = [...above, TITLE, 'Ann Bee, Carl Dee', ...after]
  const lines = rows.map((text, at) => ({ text, size: text === TITLE ? 18 : 9, x: 50, y: 700 - 20 * at }))
  const page: FirstPage = { width: 600, height: 842, lines, heads }
  return (
    findJournal(front(rows.join('\n\n'), page), null, null, { title: TITLE, authors: ['Ann Bee', 'Carl Dee'] })
      ?.value ?? null
  )
}

describe('journalCandidates', () => {
  it.each<[what: string, page: Parameters<typeof journalOf>[0], name: string]>([
    ['in a banner above a volume', { above: ['Northern Freshwaters', 'Volume 12 · 2019'] }, 'Northern Freshwaters'],
    ['below an ISSN', { above: ['ISSN 1234-5678', 'Polar Botany'], heads: ['Polar Botany'] }, 'Polar Botany'],
    [
      'in a head that looks like a person',
      { heads: ['Tree Physiology Notes 2020, 8, 55–70'] },
      'Tree Physiology Notes',
    ],
    [
      'in one head, with the volume in another',
      { heads: ['Care Today', 'Bee et al.', '2018;6:113–121'] },
      'Care Today',
    ],
    ['with an issue', { heads: ['Quiet Cities 5(2)', 'A. Bee & C. Dee', TITLE] }, 'Quiet Cities'],
    ['in the only other head', { heads: ['Handbook of Gardens', 'Bee and Dee'] }, 'Handbook of Gardens'],
    [
      'after the title of a citation',
      { after: [`Bee A, Dee C. ${TITLE}. Sleep Matters. 2020;4:12.`] },
      'Sleep Matters',
    ],
    [
      'on a cover sheet',
      { after: ['This is the accepted manuscript of an article published in Memory and Place.'] },
      'Memory and Place',
    ],
    ['after the names of a running head', { heads: ['Bee and Dee Quiet Cities (2020) 8:30'] }, 'Quiet Cities'],
    ['with the family name of an author', { heads: ['Bee Notes Today, Vol. 4, 2020'] }, 'Bee Notes Today'],
    [
      'in a long and a short form',
      { above: ['Critical Tea Practice'], heads: ['Crit Tea Pract 2020, 8, 55'] },
      'Critical Tea Practice',
    ],
    ['alone in a published article', { above: ['Quiet Gardens'], after: ['Received 3 May 2019'] }, 'Quiet Gardens'],
    ['with a volume in brackets', { heads: ['Trials in Gardens [2013] 18'] }, 'Trials in Gardens'],
    ['of a preprint server', { after: ['arXiv:2104.01234v2 [cs.LG] 4 May 2021'] }, 'arXiv'],
    [
      'of proceedings',
      {
        after: [`Ann Bee. 2018. ${TITLE}. In Proceedings of the 9th Workshop on Small Machines (SMALL ’18), June 4–6.`],
      },
      'Proceedings of the 9th Workshop on Small Machines (SMALL ’18)',
    ],
  ])('journalCandidates finds a name without words of journals: %s', (_what, page, name) => {
    expect(journalOf(page)).toBe(name)
  })

  it.each<[what: string, page: Parameters<typeof journalOf>[0]]>([
    ['the title and the authors', { heads: [TITLE, 'Bee and Dee', 'Ann Bee'] }],
    ['an address', { above: ['Northfield University, Department of Lakes'], heads: ['Preprint'] }],
    ['a faculty', { above: ['Northfield University Faculty of Engineering'] }],
    ['dates', { above: ['Received 3 May 2019; accepted 6 June 2019'] }],
    ['an event', { heads: ['SMALL ’18, June 4–6, 2018, Bergen'] }],
  ])('journalCandidates does not contain %s', (_what, page) => {
    expect(journalOf(page)).toBeNull()
  })
})
