import { describe, expect, it } from 'vitest'
import { readNames } from './author-names.ts'

describe('readNames', () => {
  it.each([
    ['superscript marks', 'Ann Bee¹,², Carl Dee²,* and Eve Eff¹', ['Ann Bee', 'Carl Dee', 'Eve Eff']],
    ['digits that stick to names', 'Ann Bee1,2, Carl Dee2 and Eve Eff1∗', ['Ann Bee', 'Carl Dee', 'Eve Eff']],
    ['superscript marks in OCR', "Ann Bee’, Carl O’Dee” and Eve Eff'”", ['Ann Bee', 'Carl O’Dee', 'Eve Eff']],
    ['letters of affiliations', 'Ann Bee a,*, Carl Dee b, Eve Eff a,b', ['Ann Bee', 'Carl Dee', 'Eve Eff']],
    ['footnote symbols', 'Ann Bee∗ Carl Dee† Eve Eff‡', ['Ann Bee', 'Carl Dee', 'Eve Eff']],
    ['middle dots', 'Ann Bee · Carl Dee · Eve Eff', ['Ann Bee', 'Carl Dee', 'Eve Eff']],
    ['affiliations in brackets', 'Ann Bee (Tea Inc), Carl Dee (University of', ['Ann Bee', 'Carl Dee']],
    ['degrees', 'Ann Bee, MD, PhD; Carl Dee, MSc; Eve Eff FRCP', ['Ann Bee', 'Carl Dee', 'Eve Eff']],
    ['academic titles', 'Prof. Dr. Ann Bee, Dr Carl Dee', ['Ann Bee', 'Carl Dee']],
    ['a study group', 'Ann Bee, Carl Dee; on behalf of the Reed Study Group', ['Ann Bee', 'Carl Dee']],
    ['ORCID icons', 'Ann Bee ID 1, Carl Dee ID', ['Ann Bee', 'Carl Dee']],
    ['et al.', 'Ann Bee, Carl Dee, et al.', ['Ann Bee', 'Carl Dee']],
    ['initials', 'A. B. Bee, J.-P. Dee & R.A. Eff', ['A. B. Bee', 'J.-P. Dee', 'R.A. Eff']],
    ['initials after the family name', 'Bee A, Dee CK', ['A Bee', 'CK Dee']],
    ['capitals', 'ANN B. BEE and CARL DEE-FOX', ['Ann B. Bee', 'Carl Dee-Fox']],
    ['family names in capitals', 'Ann BEES and Carl van DEEP', ['Ann Bees', 'Carl van Deep']],
    ['family names first', 'Bee, Ann; Dee, Carl', ['Ann Bee', 'Carl Dee']],
    ['family names in capitals first', 'BEE, A., DEE, C.', ['A. Bee', 'C. Dee']],
    [
      'particles and generations',
      'Carl van der Dee, Jr., María de la O’Neil',
      ['Carl van der Dee Jr.', 'María de la O’Neil'],
    ],
    ['other languages', 'Inés Solá y Tomás Luque', ['Inés Solá', 'Tomás Luque']],
    ['Korean and Japanese', '김철수, 이영희、山田 太郎', ['김철수', '이영희', '山田 太郎']],
    [
      'joined articles',
      'Ann al-Bee, Carl dell’Acqua, Mary St. John',
      ['Ann al-Bee', 'Carl dell’Acqua', 'Mary St. John'],
    ],
    ['months and directions', 'June Bee¹, Carl West², Eve Street', ['June Bee', 'Carl West', 'Eve Street']],
    ['a conjunction within a name', 'José Bee y Campos, Inês Dee e Silva', ['José Bee y Campos', 'Inês Dee e Silva']],
    ['memberships', 'Ann Bee, Senior Member, IEEE, Carl Dee, Life Fellow, IEEE', ['Ann Bee', 'Carl Dee']],
    ['many degrees', 'Ann Bee, M.B., B.Ch.; Carl Dee, DrPH, FRACP', ['Ann Bee', 'Carl Dee']],
    ['identifiers in brackets', 'Ann Bee1[0000-0002-1825-0097], Carl Dee2(✉)', ['Ann Bee', 'Carl Dee']],
    ['a collaboration', 'Ann Bee, Carl Dee, REED Collaboration', ['Ann Bee', 'Carl Dee']],
    ['slashes and ordinals', '1st Ann Bee / Carl Dee', ['Ann Bee', 'Carl Dee']],
    ['particles before initials', 'van der Bee C, Ben Dee L', ['C van der Bee', 'L Ben Dee']],
    ['particles in capitals', 'ANN VAN DER BEE AND BO LI', ['Ann van der Bee', 'Bo Li']],
    ['addresses', 'Ann Bee bee@tea.example 0000-0002-1825-0097', ['Ann Bee']],
  ])('readNames reads names with %s', (_, text, names) => {
    expect(readNames(text)).toMatchObject({ names: names.map((value) => ({ value })), share: 1 })
  })

  it.each([
    'Karlsruhe Institute of Technology',
    'New York, United States',
    'Northfield, UK',
    'Department of Tea, University of Warmth',
    'Received 4 May 2020, Accepted 3 June 2020',
    'Grüner Tee und der Schlaf von Pflegekräften',
    'We asked nurses about tea, sleep and noise',
  ])('readNames gives %j a low share of names', (text) => {
    expect(readNames(text).share).toBeLessThan(0.7)
  })

  it('readNames ignores texts whose words are all common words of the paper', () => {
    const common = new Set(['deep', 'learning', 'big', 'data'])
    expect(readNames('Deep Learning, Big Data', (word) => common.has(word)).names).toEqual([])
  })

  it('readNames terminates on long rows', () => {
    for (const part of ['Ann Bee, ', '(', 'a, ', '1 ', 'A', 'Ann '])
      expect(readNames(part.repeat(30_000)).share).toBeLessThanOrEqual(1)
  })
})
