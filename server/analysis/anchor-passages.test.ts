import { describe, expect, it } from 'vitest'
import type { EditableField } from '#shared/contract/documents.ts'
import type { Analysis, AnalysisResult, QuotedStatement } from '#shared/contract/analysis.ts'
import { joinPages, splitPages } from '#shared/pdf-text/page-text.ts'
import type { PassageField } from '#shared/contract/passages.ts'
import { anchorPassages } from './anchor-passages.ts'
import { documentFields } from './document-fields.ts'

const TEXT = joinPages([
  'Tea and sleep\n\nPublished 4 May 2023. Tea is warm.',
  'We asked 212 nurses. Tea drinkers slept 38 minutes longer than\nothers. Offer tea.',
])
const NOTHING: AnalysisResult = {
  title: null,
  authors: [],
  doi: null,
  publication_date: null,
  journal: null,
  summary: '',
  recommendation: '',
  level_of_evidence: 'Unknown',
  keywords: [],
  social_post: '',
  insights: [],
}
const anchor = (result: Partial<AnalysisResult>, quotes: QuotedStatement[] = []) =>
  anchorPassages({ person: 'ada' }, TEXT, { result: { ...NOTHING, ...result }, quotes })

describe('anchorPassages', () => {
  it('anchorPassages finds the quote of a statement, with offsets in its page', async () => {
    const passages = await anchor({ insights: ['Tea prolonged sleep by 38 minutes.'] }, [
      {
        field: 'insights',
        item: 0,
        statement: 'Tea prolonged sleep by 38 minutes.',
        quote: 'Tea drinkers slept 38 minutes longer than others.',
      },
    ])
    expect(passages).toMatchObject([
      {
        field: 'insights',
        item: 0,
        page: 2,
        match: 'letters',
        score: 1,
        statement: 'Tea prolonged sleep by 38 minutes.',
      },
    ])
    const { page, start, end } = passages[0]!
    expect(splitPages(TEXT)[page! - 1]!.text.slice(start!, end!)).toBe(
      'Tea drinkers slept 38 minutes longer than\nothers.',
    )
  })

  it('anchorPassages searches for a statement without a quote by its own words', async () => {
    expect(await anchor({ title: 'Tea and sleep' })).toMatchObject([{ field: 'title', page: 1, match: 'exact' }])
  })

  it('anchorPassages marks statements that are not in the text', async () => {
    const passages = await anchor({ insights: ['Coffee is better than any tea in the world.'] })
    expect(passages).toMatchObject([{ match: 'none', page: null, start: null, end: null, score: 0 }])
  })

  it('anchorPassages gives every field and every sentence one passage, and an unknown level none', async () => {
    const passages = await anchor({
      title: 'Tea and sleep',
      publication_date: '2023-05-04',
      summary: 'Tea is warm. We asked 212 nurses.',
      recommendation: 'Offer tea.',
      keywords: ['tea', 'sleep'],
    })
    expect(passages.map((one) => `${one.field} ${one.item} ${one.match}`)).toEqual([
      'title 0 exact',
      'publication_date 0 none',
      'summary 0 exact',
      'summary 1 exact',
      'lifestyle_recommendations 0 exact',
      'keywords 0 exact',
      'keywords 1 exact',
    ])
  })
})

describe('documentFields', () => {
  const older = {
    field: 'title',
    item: 0,
    statement: 'Old',
    quote: 'Old',
    page: 1,
    start: 0,
    end: 3,
    match: 'exact',
    score: 1,
  } as const
  const before = {
    title: 'Old',
    evidence_level: 'Level 2: Trial',
    passages: [older],
    edited_fields: [] as EditableField[],
  }
  const fields = (result: Partial<AnalysisResult>, now = before, replaced: PassageField[] = []) =>
    documentFields(now, { result: { ...NOTHING, ...result }, quotes: [], model: 'm' } satisfies Analysis, [], replaced)

  it('documentFields preserves facts that the analysis did not find, with their passages', () => {
    expect(fields({})).toEqual({
      summary: '',
      lifestyle_recommendations: '',
      social_post: '',
      insights: [],
      analysis_model: 'm',
      passages: [older],
      edited_fields: [],
    })
  })

  it('documentFields replaces facts that the analysis found, and all statements even by none', () => {
    expect(fields({ title: 'New', keywords: ['new'], level_of_evidence: 'Level 1: Review' })).toMatchObject({
      title: 'New',
      keywords: ['new'],
      evidence_level: 'Level 1: Review',
      summary: '',
      insights: [],
      analysis_model: 'm',
      passages: [],
    })
  })

  it('documentFields adds the keywords of each analysis to those of an import, and replaces those of an earlier one', async () => {
    const analyzed = async (keywords: string[], now: Parameters<typeof documentFields>[0]) => {
      const analysis = { result: { ...NOTHING, keywords }, quotes: [], model: 'm' }
      return documentFields(now, analysis, await anchor({ keywords }), [])
    }
    const imported = { ...before, keywords: ['Sleep', 'search 2026', 'tea'], analyzed_at: null }
    const first = await analyzed(['sleep', 'tea', 'naps'], imported)
    expect(first.keywords).toEqual(['Sleep', 'search 2026', 'tea', 'naps'])
    expect(first.passages).toMatchObject([{ field: 'keywords', item: 3, statement: 'naps' }, older])
    const { keywords, passages } = first
    const analyzed_at = '2026-03-01T00:00:00.000Z'
    const second = await analyzed(['dreams'], { ...imported, keywords, passages, analyzed_at })
    expect(second.keywords).toEqual(['Sleep', 'search 2026', 'tea', 'dreams'])
  })

  it('documentFields keeps the year of a paper whose metadata were checked, and replaces that of another paper', () => {
    const dated = { ...before, publication_date: null, reference: { issued: { 'date-parts': [[2020]] } } }
    const checked = { ...dated, metadata_checked_at: '2026-03-01T00:00:00.000Z' }
    const found = { publication_date: '2019-11-05' }
    expect(fields(found, checked)).not.toHaveProperty('publication_date')
    expect(fields(found, dated)).toMatchObject(found)
  })

  it('documentFields sets Unknown when there was no level before', () => {
    const fresh = { ...before, title: '', evidence_level: '' }
    expect(fields({}, fresh).evidence_level).toBe('Unknown')
  })

  it('documentFields preserves edited fields with their passages, also emptied ones', () => {
    const edited = { ...before, edited_fields: ['title', 'summary', 'authors'] satisfies EditableField[] }
    const anchored = fields({ title: 'New', summary: 'New.', insights: ['New.'] }, edited)
    expect(anchored).toMatchObject({ insights: ['New.'], passages: [older], edited_fields: edited.edited_fields })
    expect(Object.keys(anchored)).not.toEqual(expect.arrayContaining(['title']))
    expect(Object.keys(anchored)).not.toEqual(expect.arrayContaining(['summary']))
  })

  it('documentFields replaces an edited field on request, also one from a service, but not by an empty value', () => {
    const edited = {
      ...before,
      doi_link: '10.5555/mine',
      metadata_checked_at: '2026-01-01T00:00:00.000Z',
      edited_fields: ['title', 'doi_link', 'authors'] satisfies EditableField[],
    }
    const given = fields({ title: 'New', summary: 'New.' }, edited, ['title', 'doi_link'])
    expect(given).toMatchObject({ title: 'New', passages: [], edited_fields: ['doi_link', 'authors'] })
    expect(Object.keys(given)).not.toContain('doi_link')
  })
})
