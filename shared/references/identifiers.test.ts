import { describe, expect, it } from 'vitest'
import { doiWithin, isbn13, recognizeIdentifier } from './identifiers.ts'

const SICI = '10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-#'
const ENCODED_SICI = encodeURIComponent(SICI)

describe('identifiers', () => {
  it.each([
    ['10.1000/xyz.123', 'doi', '10.1000/xyz.123'],
    ['doi: 10.1000/xyz.123', 'doi', '10.1000/xyz.123'],
    ['https://doi.org/10.1016/S0140-6736(20)30183-5', 'doi', '10.1016/S0140-6736(20)30183-5'],
    ['https://onlinelibrary.wiley.com/doi/full/10.1002/jrsm.1252', 'doi', '10.1002/jrsm.1252'],
    [SICI, 'doi', SICI],
    [`doi:${SICI}`, 'doi', SICI],
    [`https://doi.org/${SICI}`, 'doi', SICI],
    [`https://doi.org/${ENCODED_SICI}`, 'doi', SICI],
    [`https://onlinelibrary.wiley.com/doi/abs/${ENCODED_SICI}?utm=1`, 'doi', SICI],
    [SICI.replace('#', '2#page'), 'doi', SICI.replace('#', '2')],
    ['https://doi.org/10.1000/xyz.123?ref=a#b', 'doi', '10.1000/xyz.123'],
    ['31806334', 'pmid', '31806334'],
    ['PMID: 31806334', 'pmid', '31806334'],
    ['https://pubmed.ncbi.nlm.nih.gov/31806334/', 'pmid', '31806334'],
    ['https://pubmed.ncbi.nlm.nih.gov/31806334/#affiliation-1', 'pmid', '31806334'],
    ['https://europepmc.org/article/MED/31806334', 'pmid', '31806334'],
    ['https://pmc.ncbi.nlm.nih.gov/articles/PMC7012345/#sec2', 'pmcid', 'PMC7012345'],
    ['https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7012345/pdf/main.pdf', 'pmcid', 'PMC7012345'],
    ['https://arxiv.org/abs/2101.00001?context=cs.LG', 'arxiv', '2101.00001'],
    ['pmc7012345', 'pmcid', 'PMC7012345'],
    ['https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7012345/', 'pmcid', 'PMC7012345'],
    ['arXiv:2101.00001v2', 'arxiv', '2101.00001'],
    ['https://arxiv.org/pdf/2101.00001v3.pdf', 'arxiv', '2101.00001'],
    ['10.48550/arXiv.2101.00001', 'arxiv', '2101.00001'],
    ['hep-th/9901001', 'arxiv', 'hep-th/9901001'],
    ['math.GT/0309136', 'arxiv', 'math/0309136'],
    ['arXiv:math.GT/0309136v1', 'arxiv', 'math/0309136'],
    ['https://arxiv.org/abs/cond-mat.mes-hall/0309136', 'arxiv', 'cond-mat/0309136'],
    ['ISBN 978-3-16-148410-0', 'isbn', '9783161484100'],
    ['0-306-40615-2', 'isbn', '9780306406157'],
    ['https://example.org/paper', 'url', 'https://example.org/paper'],
  ])('recognizeIdentifier recognizes %s as %s (FMT-90)', (line, kind, value) => {
    expect(recognizeIdentifier(line)).toEqual({ kind, value })
  })

  it.each([
    '',
    'A title of a paper',
    'arXiv:2113.00001',
    '978-3-16-148410-1',
    'ftp://example.org/a',
    '123456789012',
    '31806334/2',
  ])("recognizeIdentifier returns undefined for '%s' (FMT-90)", (line) => {
    expect(recognizeIdentifier(line)).toBeUndefined()
  })

  it('doiWithin returns the DOI of a sentence without the punctuation after it', () => {
    expect(doiWithin('See (doi:10.1000/a.b), or ask.')).toBe('10.1000/a.b')
    expect(doiWithin('https://doi.org/10.1000%2Fa.b')).toBe('10.1000/a.b')
    expect(doiWithin(`See https://doi.org/${ENCODED_SICI}.`)).toBe(SICI)
    expect(doiWithin('<a>10.1000/a.b</a>')).toBe('10.1000/a.b')
    expect(doiWithin('https://example.org/article/10.1000/a.b?x=1#abstract')).toBe('10.1000/a.b')
    expect(doiWithin('no DOI')).toBeUndefined()
  })

  it('isbn13 returns undefined for an ISBN with a wrong check digit', () => {
    expect([isbn13('0306406153'), isbn13('080442957X')]).toEqual([undefined, '9780804429573'])
  })
})
