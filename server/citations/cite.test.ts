import { afterAll, describe, expect, it } from 'vitest'
import type { Item } from './cite.ts'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'
import { NUMBER } from './drop-number.ts'
import { format, listStyles } from './format.ts'
import { SAMPLE_ITEMS } from './sample-items.ts'

const [article, book, talk] = SAMPLE_ITEMS
const ITEMS: Item[] = [
  { ...article, title: 'Naps and <script>alert(1)</script> memory' },
  { ...book, author: [{ family: 'Ferreira', given: 'Ana' }], editor: [] },
  { ...talk, author: [{ literal: 'North Quay Sleep Laboratory' }], URL: 'javascript:alert(1)' },
]
const one = ITEMS.slice(0, 1)
const styleOf = (citation: string, bibliography: string) => ({
  xml: `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0"><info><id/><title/></info>
    <citation>${citation}</citation><bibliography>${bibliography}</bibliography></style>`,
})

afterAll(stopWorkerPools)

describe('citations', () => {
  it('The list has all styles of the package, usual ones first, and its languages (FMT-61)', async () => {
    const { styles, locales } = await listStyles()
    expect([styles.length, locales.length]).toEqual([2679, 56])
    expect(styles.slice(0, 4).map(({ id }) => id)).toEqual(['apa', 'american-medical-association', 'vancouver', 'ieee'])
    expect(styles[0]!.title).toContain('American Psychological Association')
    expect(new Set(styles.map(({ id }) => id)).size).toBe(styles.length)
    expect(styles.filter(({ title }) => title.trim() === '')).toEqual([])
    expect(locales).toEqual(expect.arrayContaining(['en-US', 'de-DE', 'fr-FR']))
  })

  it.each([
    ['apa', '(Marlowe & Okafor, 2025)', 'Marlowe, I., & Okafor, T. (2025).'],
    ['american-medical-association', '1', '1. Marlowe I, Okafor T.'],
    ['vancouver', '(1)', '1. Marlowe I, Okafor T.'],
    ['ieee', '[1]', '[1] I. Marlowe and T. Okafor'],
    ['nature', '1', '1. Marlowe, I. & Okafor, T.'],
    ['chicago-author-date', '(Marlowe and Okafor 2025)', 'Marlowe, Ines, and Tobi Okafor. 2025.'],
    ['modern-language-association', '(Marlowe and Okafor)', 'Marlowe, Ines, and Tobi Okafor.'],
    ['bmj', '[1]', 'Marlowe I, Okafor T. Naps'],
    ['din-1505-2', '(Marlowe & Okafor, 2025)', 'Marlowe, Ines ; Okafor, Tobi: Naps'],
    ['cell', '1', '1. Marlowe, I., and Okafor, T. (2025).'],
  ])('The style %s cites an article and lists three papers (FMT-61, FMT-63)', async (style, intext, entry) => {
    const single = await format({ items: one, style, output: 'text' })
    expect([single.intext[0], single.bibliography[0]]).toEqual([intext, expect.stringContaining(entry)])
    const { bibliography } = await format({ items: ITEMS, style, output: 'text' })
    expect(bibliography).toHaveLength(3)
    expect(bibliography.join('\n')).toContain('Spindles')
  })

  it.each([
    ['vancouver', /^1\. ?Marlowe I/, /^Marlowe I/],
    ['ieee', /^\[1\] ?I\. Marlowe/, /^I\. Marlowe/],
    ['nature', /^1\. ?Marlowe, I\./, /^Marlowe, I\./],
    ['american-institute-of-physics', /^1 I\. Marlowe/, /^I\. Marlowe/],
    ['acta-pharmaceutica', /^1\.I\. Marlowe/, /^I\. Marlowe/],
    ['acta-scientiae-veterinariae', /^1 Marlowe I\./, /^Marlowe I\./],
    ['apa', /^Marlowe, I\./, /^Marlowe, I\./],
    // The left margin has the year, which is not a number of the style.
    ['american-anthropological-association', /^Marlowe, Ines/, /^Marlowe, Ines/],
  ])('A bibliography in the style %s can omit the numbers', async (style, numbered, unnumbered) => {
    for (const output of ['text', 'html'] as const) {
      const startOf = async (withoutNumbers: boolean) =>
        (await format({ items: one, style, output, withoutNumbers })).bibliography[0]!.replaceAll(
          /<\/?(?:div|span|sup|b)\b[^>]*>/g,
          '',
        ).trim()
      expect(await startOf(false)).toMatch(numbered)
      const entry = await startOf(true)
      expect(entry).toMatch(unnumbered)
      expect(entry).toContain('2025')
      expect(entry).not.toContain(NUMBER)
    }
  })

  it('A citation in another language has the words of this language (FMT-62)', async () => {
    const talk = ITEMS.slice(1, 2)
    const english = await format({ items: talk, style: 'apa', output: 'text' })
    const german = await format({ items: talk, style: 'apa', locale: 'de-DE', output: 'text' })
    expect([english.intext[0], german.intext[0]]).toEqual(['(Ferreira, n.d.)', '(Ferreira, o.\u00A0J.)'])
  })

  it('A year before Christ has a space before its era, except in Chinese', async () => {
    const old: Item[] = [{ id: 'old', type: 'book', title: 'Dreams', issued: { 'date-parts': [[-250]] } }]
    const year = '<layout><date variable="issued"><date-part name="year"/></date></layout>'
    const inLocale = async (locale: string) =>
      (await format({ items: old, style: styleOf(year, year), locale, output: 'text' })).intext[0]
    expect(await inLocale('en-US')).toBe('250 BC')
    expect(await inLocale('de-DE')).toMatch(/^250\sv\.\sChr\.$/)
    expect(await inLocale('zh-CN')).toBe('250公元前')
  })

  it('A citation of several papers has the order of the bibliography if the style has no order of citations', async () => {
    const number = '<layout delimiter=", "><text variable="citation-number"/></layout>'
    const byTitle = '<sort><key variable="title"/></sort><layout><text variable="title"/></layout>'
    const { intext } = await format({ items: ITEMS, style: styleOf(number, byTitle), output: 'text' })
    expect(intext).toEqual(['1, 2, 3'])
  })

  it('HTML of a citation has fonts and no script, and text has no markup (FMT-60)', async () => {
    const html = await format({ items: ITEMS, style: 'apa', output: 'html' })
    expect(html.bibliography.join('')).toContain('<i>Journal of Sleep</i>')
    expect(html.bibliography.join('')).toContain('&lt;script&gt;')
    expect(html.bibliography.join('')).not.toMatch(/<script|href="javascript/)
    const text = await format({ items: one, style: 'apa', output: 'text' })
    expect(text.bibliography[0]).toContain('Naps and <script>alert(1)</script> memory. Journal of Sleep, 18')
  })

  it('A cached style formats other papers with the same ids as a new style does', async () => {
    const other: Item[] = [{ id: 'nap', type: 'book', title: 'Dreams', author: [{ family: 'Zhao' }] }]
    const first = await format({ items: ITEMS, style: 'apa', output: 'text' })
    const between = await format({ items: other, style: 'apa', output: 'text' })
    expect(between).toEqual({ intext: ['(Zhao, n.d.)'], bibliography: ['Zhao. (n.d.). Dreams.'] })
    expect(await format({ items: ITEMS, style: 'apa', output: 'text' })).toEqual(first)
  })

  it('An unknown style and an unknown language are refused by name', async () => {
    const refused = (style: string, locale?: string) => format({ items: one, style, locale, output: 'text' })
    await expect(refused('apa-8')).rejects.toMatchObject({ code: 'refused', message: /style 'apa-8'/ })
    await expect(refused('apa', 'xx-XX')).rejects.toMatchObject({ code: 'refused', message: /language 'xx-XX'/ })
  })
})
