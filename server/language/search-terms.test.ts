import { describe, expect, it } from 'vitest'
import { searchTerms } from './search-terms.ts'

describe('searchTerms', () => {
  it.each<[string, string[]]>([
    ['How were the Participants recruited?', ['particip', 'recruit']],
    ['What did the authors say in this paper?', []],
    ["The patients' naïve résumé doesn’t matter", ['patient', 'naiv', 'resum', 'matter']],
    ['An F1-score of 0.82 in 1,956 links', ['f1', 'score', '0.82', '1,956', 'link']],
    ['ﬁnding COVID-19', ['find', 'covid', '19']],
    ['steep gradients⁶² on 4 m²', ['steep', 'gradient', '4', 'm2']],
    [
      '评估二甲双胍对COVID-19患者死亡率的影响。',
      ['评估', '二甲', '双', '胍', '对', 'covid', '19', '患者', '死亡率', '的', '影响'],
    ],
    ['コーヒーとﾗｯﾄの死亡率が低下', ['コーヒー', 'と', 'ラット', 'の', '死亡率', 'が', '低下']],
    ['อัตราการตายในผู้ป่วย 120 คน', ['อัตรา', 'การ', 'ตาย', 'ใน', 'ผู้', 'ป่วย', '120', 'คน']],
    ['한국어 논문', ['한국어'.normalize('NFKD'), '논문'.normalize('NFKD')]],
    ['', []],
  ])('searchTerms finds the terms of %j', (text, expected) => {
    expect(searchTerms(text)).toEqual(expected)
  })

  it('searchTerms handles a very long word quickly', () => {
    const words = ['a', 'ay', '1', 'ing'].map((part) => part.repeat(200_000))
    expect(searchTerms(words.join(' '))).toEqual(words)
    expect(searchTerms('汉'.repeat(200_000)).join('')).toBe('汉'.repeat(200_000))
  })
})
