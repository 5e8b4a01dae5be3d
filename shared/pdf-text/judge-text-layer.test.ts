import { describe, expect, it } from 'vitest'
import { isSparse, judgeTextLayer, pagesForOcr } from './judge-text-layer.ts'

const ENGLISH =
  'The size of the effect is comparable to that of other treatments, which are effective but scarce: in our district the waiting time for them is eight months. '
const LANGUAGES = {
  German:
    'Die Größe der Wirkung ist mit der anderer Behandlungen vergleichbar, die zwar wirksam, aber selten sind: In unserem Kreis beträgt die Wartezeit acht Monate. ',
  French:
    "L'ampleur de l'effet est comparable à celle des autres traitements, qui sont efficaces mais rares: dans notre district le délai d'attente est de huit mois. ",
  Polish:
    'Wielkość efektu jest porównywalna z wielkością efektu innych metod, które są skuteczne, ale rzadkie: w naszym okręgu czas oczekiwania na nie wynosi osiem miesięcy. ',
  Finnish:
    'Vaikutuksen suuruus on verrattavissa muihin hoitoihin, jotka ovat tehokkaita mutta harvinaisia, ja alueellamme odotusaika on kahdeksan kuukautta, mikä ei ole vähän. ',
  Turkish:
    'Etkinin büyüklüğü diğer tedavilerle karşılaştırılabilir; bu tedaviler etkili ama nadirdir ve bölgemizde bekleme süresi sekiz ay olarak bildirilmiştir, bu da çok uzundur. ',
  Russian: 'Размер эффекта сопоставим с размером эффекта других методов лечения, которые эффективны, но редки. ',
  Chinese: '该效果的大小与其他治疗方法相当，这些方法有效但稀缺：在我们地区，等待时间为八个月。',
}
const page = (sentence: string) => sentence.repeat(12)
/** Returns a text as a PDF with a wrong font map yields it: every letter is replaced by another letter. */
const swapped = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(97 + (((letter.charCodeAt(0) - 97) * 7 + 3) % 26)))

describe('judgeTextLayer', () => {
  const cases: [string, string[], 'scan' | 'garbled' | null][] = [
    ['English', [page(ENGLISH), page(ENGLISH)], null],
    ...Object.entries(LANGUAGES).map(([name, sentence]): [string, string[], null] => [name, [page(sentence)], null]),
    ['a wrong font map', [page(swapped(ENGLISH)), page(swapped(ENGLISH))], 'garbled'],
    ['one garbled page of four', [page(swapped(ENGLISH)), page(ENGLISH), page(ENGLISH), page(ENGLISH)], null],
    ['no pages', [], 'scan'],
    ['empty pages', ['', '', ''], 'scan'],
    ['pages with a stamp only', ['Downloaded from a library on 3 May', 'Downloaded from a library on 3 May'], 'scan'],
    ['a cover picture before text', ['', page(ENGLISH), page(ENGLISH)], null],
    ['a text page before scans', [page(ENGLISH), '', ''], 'scan'],
    ['tables of numbers', ['12.5 17.3 44.1 (0.02) '.repeat(60)], null],
    ['too few words', ['qzx wvb '.repeat(20)], null],
  ]
  it.each(cases)('judgeTextLayer returns the right verdict for %s', (_what, texts, verdict) => {
    expect(judgeTextLayer(texts)).toBe(verdict)
  })

  it('judgeTextLayer accepts a book of 3000 pages', () => {
    expect(judgeTextLayer(Array.from({ length: 3000 }, () => page(ENGLISH)))).toBeNull()
  })
})

it('isSparse returns true below 80 characters a page on average, not counting spaces', () => {
  expect(isSparse(['x'.repeat(79)])).toBe(true)
  expect(isSparse(['x '.repeat(80)])).toBe(false)
  // A 16-page file of which fragments were drawn.
  expect(isSparse(['x'.repeat(324), ...Array.from({ length: 15 }, () => '')])).toBe(true)
})

describe('pagesForOcr', () => {
  const references = 'Miller A, Weber B. Naps and memory. J Sleep Res 2019;28:e1283. '.repeat(30)
  it.each<[string, string[], number[]]>([
    ['no page of a paper', [page(ENGLISH), page(ENGLISH)], []],
    ['a page without text', [page(ENGLISH), '', page(ENGLISH)], [2]],
    ['one garbled page', [page(ENGLISH), page(ENGLISH), page(swapped(ENGLISH)), page(ENGLISH)], [3]],
    ['all pages of a garbled paper', [page(swapped(ENGLISH)), page(swapped(ENGLISH))], [1, 2]],
    ['all pages of a scan', ['', ''], [1, 2]],
    ['no list of references', [page(ENGLISH), references], []],
    ['no page in another script', [page(ENGLISH), page(LANGUAGES.Russian)], []],
  ])('pagesForOcr returns %s', (_what, texts, pages) => {
    expect(pagesForOcr(texts)).toEqual(pages)
  })
})
