import { afterAll, describe, expect, it } from 'vitest'
import { extractText } from '#server/extraction/index.ts'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { readTopics, writeStudies } from '#tests/bench/library-set/abstracts.ts'
import { listQuestions, UNANSWERED } from '#tests/bench/library-set/questions.ts'
import {
  containsGold,
  paperPath,
  readMetadataSet,
  readQuestionSets,
  type AnswerableQuestion,
} from '#tests/bench/question-sets.ts'
import { readPapers } from '#tests/helpers/papers.ts'

const sets = readQuestionSets()
const invented = sets.filter(({ origin }) => origin === 'invented')
const questions = sets.flatMap((set) => set.questions)
const letters = (text: string) => normalizeWithMap(text).text
const extracted = new Map<string, ReturnType<typeof extractText>>()
const read = (paper: string) => {
  const known = extracted.get(paper) ?? extractText(paperPath(paper)!)
  extracted.set(paper, known)
  return known
}
/** Maximum number of words that a reworded question may share with its gold quote (the passage that answers it). */
const MOST_SHARED = 2
const LEAST = { direct: 100, reworded: 100, numeric: 50, table: 30, translated: 10 }

describe('tests/bench/questions', () => {
  afterAll(() => stopWorkerPools())

  it('The benchmark has questions and metadata for every invented paper', () => {
    const papers = [...readPapers().map(({ name }) => name), 'paper'].sort()
    expect(invented.map(({ paper }) => paper)).toEqual(papers.toSorted())
    expect(
      readMetadataSet()
        .map(({ paper, half }) => `${paper} ${half}`)
        .sort(),
    ).toEqual(invented.map(({ paper, half }) => `${paper} ${half}`).sort())
  })

  it('The benchmark has many questions of every kind about many papers, in two halves of similar size', () => {
    expect(invented.length).toBeGreaterThanOrEqual(20)
    const asked = invented.flatMap(({ half, questions: list }) => list.map(({ kind }) => ({ half, kind })))
    expect(asked.length).toBeGreaterThanOrEqual(300)
    const count = (wanted: string) => asked.filter(({ kind }) => kind === wanted).length
    expect(count('unanswerable')).toBeGreaterThanOrEqual(80)
    for (const [kind, least] of Object.entries(LEAST)) expect([kind, count(kind) >= least]).toEqual([kind, true])
    const unseen = asked.filter(({ half }) => half === 'unseen').length / asked.length
    expect(unseen).toBeGreaterThan(0.4)
    expect(unseen).toBeLessThan(0.6)
  })

  it('The benchmark has each question and each id once', () => {
    const ids = questions.map(({ id }) => id)
    expect(ids.length).toBe(new Set(ids).size)
    for (const set of sets) {
      const texts = set.questions.map(({ question }) => question)
      expect([set.paper, texts.length]).toEqual([set.paper, new Set(texts).size])
    }
  })

  it.each([
    ['It fell by 9 %.', '9', true],
    ['It fell by 19 %.', '9', false],
    ['It fell by 9.5 %.', '9', false],
    ['It fell by 1,209.', '9', false],
    ['In 4\u202f390 rooms', '4 390', true],
    ['The otter ate.', 'Otter', true],
    ['The otters ate.', 'otter', false],
  ])('The comparison with gold words reads whole words: %s contains %s: %s', (text, gold, expected) => {
    expect(containsGold(text, [gold])).toBe(expected)
  })

  it('No paper is in both halves of the benchmark', () => {
    const papers = sets.map(({ paper }) => paper)
    expect(papers.length).toBe(new Set(papers).size)
  })

  it('Reworded questions have other words than the paper', () => {
    const shared = questions
      .filter((one): one is AnswerableQuestion => one.kind === 'reworded')
      .filter(({ question, quote }) => {
        const terms = new Set(searchTerms(quote))
        return new Set(searchTerms(question).filter((term) => terms.has(term))).size > MOST_SHARED
      })
    expect(shared.map(({ id }) => id)).toEqual([])
  })

  it.each(invented)('The gold quotes of $paper are on the right pages', async ({ paper, questions: asked }) => {
    const pages = splitPages((await read(paper)).text)
    const byNumber = new Map(pages.map(({ page, text }) => [page, letters(text)]))
    const answerable = asked.filter((one): one is AnswerableQuestion => one.kind !== 'unanswerable')
    expect(answerable.filter(({ quote, page }) => !byNumber.get(page)?.includes(letters(quote)))).toEqual([])
    expect(answerable.filter(({ gold, quote }) => !containsGold(quote, gold))).toEqual([])
    expect(answerable.filter(({ gold }) => gold.length === 0)).toEqual([])
    const text = pages.map((page) => page.text).join('\n')
    const missing = asked.flatMap((one) => (one.kind === 'unanswerable' ? one.missing : []))
    const isWord = (word: string) => new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu').test(text)
    expect(missing.filter(isWord)).toEqual([])
  })

  it.each(readMetadataSet())(
    'The metadata of $paper are printed in it',
    async ({ paper, title, authors, doi, journal }) => {
      // Running heads are not part of the text.
      const { text, firstPage } = await read(paper)
      const printed = letters([text, ...(firstPage?.lines ?? []).map((line) => line.text)].join('\n'))
      const wanted = [title, ...authors.flatMap(({ given, family }) => [given, family]), doi ?? '']
      expect(wanted.filter((value) => !printed.includes(letters(value)))).toEqual([])
      expect(journal.filter((name) => !printed.includes(letters(name)))).toEqual([])
    },
  )
})

describe('tests/bench/library-set', () => {
  const studies = writeStudies(readTopics())
  const library = listQuestions(studies, sets)

  it('The library has at least 200 different abstracts with the facts of their studies', () => {
    expect(new Set(studies.map(({ abstract }) => abstract)).size).toBeGreaterThanOrEqual(200)
    expect(new Set(studies.map(({ city }) => city)).size).toBe(studies.length)
    for (const { abstract, city, participants, weeks, change } of studies) {
      expect(abstract).not.toMatch(/[{}]|undefined/)
      expect([abstract, containsGold(abstract, [city, String(participants), String(weeks), change])]).toEqual([
        abstract,
        true,
      ])
    }
  })

  it('Each half of the library questions has at least forty without an answer, and the answers are in the papers', () => {
    expect(new Set(library.map(({ id }) => id)).size).toBe(library.length)
    for (const half of ['development', 'unseen']) {
      const without = library.filter((one) => one.half === half && one.papers.length === 0)
      expect(without.length).toBeGreaterThanOrEqual(40)
      expect(new Set(without.map(({ kind }) => kind))).toEqual(new Set(UNANSWERED))
    }
    const abstracts = new Map(studies.map(({ city, abstract }) => [city, abstract]))
    const known = new Set([...abstracts.keys(), ...sets.map(({ paper }) => paper)])
    expect(library.flatMap(({ papers }) => papers).filter((paper) => !known.has(paper))).toEqual([])
    for (const { papers, gold } of library) {
      // The facts of papers are not in the abstracts.
      if (papers.length === 0 || papers.some((paper) => !abstracts.has(paper))) continue
      const texts = papers.map((paper) => abstracts.get(paper)).join(' ')
      expect([texts, containsGold(texts, gold)]).toEqual([texts, true])
    }
  })
})
