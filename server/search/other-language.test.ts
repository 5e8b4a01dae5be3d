import { describe, expect, it } from 'vitest'
import { isOtherLanguage } from './other-language.ts'

describe('isOtherLanguage', () => {
  it.each([
    'LRRK2 G2019S in PD',
    'De novo TP53 mutations in Li-Fraumeni',
    'Vitamin D per os et al',
    'microRNA en masse',
    '3D model import library',
    'No networking libraries necessary.',
    'Non-coding RNA, LA and C. elegans',
    'X Window System Chess Board',
    'Performs traversals in parallel, so set the limit',
    'schlaf licht',
  ])('isOtherLanguage accepts %j as English (LIB-26)', (text) => {
    expect(isOtherLanguage(text)).toBe(false)
  })

  it.each([
    'Wirkung von Licht auf die Schlafdauer',
    'Schlaf und Licht',
    'effets de la lumière sur le sommeil',
    'efecto de la luz en los niños',
    'gli effetti della luce sul sonno',
    'het effect van licht op de slaap',
    'влияние света на сон',
    '光对睡眠的影响',
  ])('isOtherLanguage recognizes that %j is not English (LIB-26)', (text) => {
    expect(isOtherLanguage(text)).toBe(true)
  })
})
