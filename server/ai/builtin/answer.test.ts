import { describe, expect, it } from 'vitest'
import { WEAK_MATCH_ANSWER, NO_SENTENCE_ANSWER } from '#shared/contract/chat.ts'
import { answerExtractively } from './answer.ts'

/** Returns a passage whose best sentence begins with `best`. */
function passage(content: string, best: string, { page = 1, offset = 0, similarity = 0.6 } = {}) {
  const at = content.indexOf(best)
  const end = content.indexOf('.', at) + 1
  return { content, page_number: page, page_offset: offset, similarity, start: offset + at, end: offset + end }
}

const SAFETY = passage(
  'and none was lost. Table 3. Adverse events by group and month. Four walkers had a minor fall during a walk. ' +
    'None of them needed treatment beyond a plaster. We counted them because',
  'Four walkers',
  { page: 5, offset: 200 },
)

describe('answerExtractively', () => {
  it('answerExtractively quotes the sentence that answers, with its page', () => {
    const answer = answerExtractively({ question: 'How many walkers had a minor fall?', passages: [SAFETY] })
    expect(answer).toBe(
      '“Four walkers had a minor fall during a walk.” [p. 5]\n“None of them needed treatment beyond a plaster.” [p. 5]',
    )
  })

  it.each(['Results: ', 'RESULTS', 'Results'])(
    'answerExtractively leaves out the label of a structured abstract: %s',
    (label) => {
      const words = `${label}Four walkers had a minor fall during a walk. Results were alike in both groups of walkers.`
      expect(
        answerExtractively({
          question: 'How many walkers had a minor fall?',
          passages: [passage(words, `${label}Four walkers`)],
        }),
      ).toBe(
        '“Four walkers had a minor fall during a walk.” [p. 1]\n“Results were alike in both groups of walkers.” [p. 1]',
      )
    },
  )

  it('answerExtractively leaves out a next sentence with a low score of the cross-encoder', () => {
    const answer = (next: number) =>
      answerExtractively({ question: 'How many walkers had a fall?', passages: [SAFETY], scores: [2, next] })
    expect(answer(-3)).toContain('None of them needed treatment')
    expect(answer(-9)).toBe('“Four walkers had a minor fall during a walk.” [p. 5]')
  })

  it('answerExtractively begins with the chosen sentence that has the highest score of the cross-encoder', () => {
    const words =
      'Four walkers slipped on wet stones. The weather was mild. It rained on nine days. ' +
      'A nurse visited the walkers at home.'
    const first = (scores: number[]) =>
      answerExtractively({
        question: 'What happened to the walkers?',
        passages: [passage(words, 'It rained')],
        scores,
      }).match(/“[^”]+”/)?.[0]
    expect(first([2, -9, -9, -9])).toContain('Four walkers')
    expect(first([-9, -9, -9, 2])).toContain('A nurse')
  })

  it('answerExtractively quotes whole sentences only: no fragments, captions, references, table rows', () => {
    const refs = passage(
      'Four walkers in trials. Adams B, Cole D (2019) Falls of walkers. J Motion 12(3):44–59. [7] B. Adams. 2019. Minor falls of walkers. ' +
        'Walkers 4 5 6 7 8 9 12 34 falls.',
      'Four',
      { page: 9 },
    )
    const answer = answerExtractively({
      question: 'How many walkers had a minor fall during a walk?',
      passages: [SAFETY, refs],
    })
    const quotes = [...answer.matchAll(/“([^”]*)” \[p\. (\d+)\]/g)].map((found) => found[1]!)
    expect(quotes.length).toBeGreaterThan(0)
    expect(answer.replace(/“[^”]*” \[p\. \d+\]/g, '').trim()).toBe('')
    for (const quote of quotes) {
      expect(SAFETY.content).toContain(quote)
      expect(quote).toMatch(/^[A-Z].*\.$/)
      expect(quote).not.toMatch(/Table|because|lost/)
    }
  })

  it("answerExtractively quotes the paper's own questions only when asked for them", () => {
    const words = 'RQ1 How many walkers had a minor fall? Four walkers had a minor fall during a walk.'
    const question = 'How many walkers had a minor fall?'
    expect(answerExtractively({ question, passages: [passage(words, 'RQ1')] })).toBe(
      '“Four walkers had a minor fall during a walk.” [p. 1]',
    )
    expect(
      answerExtractively({
        question: 'Which research questions were asked about minor falls?',
        passages: [passage(words, 'RQ1')],
      }),
    ).toContain('RQ1')
  })

  it('answerExtractively begins with the best sentence, then follows the order of the paper without repetitions (CHAT-15)', () => {
    const early = passage(
      'Sleep efficiency rose by five points in the walking group. No one was surprised by it at all.',
      'Sleep',
      { page: 1 },
    )
    const late = passage('Sleep efficiency improved by 6.5 points with evening walks.', 'Sleep', { page: 4 })
    const again = passage('Sleep efficiency rose by five points in the walking group!', 'Sleep', { page: 6 })
    const answer = answerExtractively({
      question: 'How much did sleep efficiency rise?',
      passages: [late, early, again],
    })
    expect(answer.match(/rose by five points/g)).toHaveLength(1)
    const villages = 'Sleep efficiency rose in every village of the district that took part.'
    const offered = 'Walks were offered on three evenings of the week.'
    const best = 'Evening walks gave each of them more sleep, and efficiency was highest there.'
    const walks = answerExtractively({
      question: 'Did evening walks raise sleep efficiency?',
      passages: [
        passage(villages, 'Sleep', { page: 6 }),
        passage(best, 'Evening', { page: 4 }),
        passage(offered, 'Walks', { page: 1 }),
      ],
    })
    expect(walks.split('\n')).toEqual([`“${best}” [p. 4]`, `“${offered}” [p. 1]`, `“${villages}” [p. 6]`])
  })

  it('answerExtractively quotes up to three sentences, and up to five if none is certain', () => {
    const sentences = [
      'Sleep improved among walkers.',
      'Mood rose quickly for walkers.',
      'Weight fell slowly in walkers.',
      'Balance stayed poor among walkers.',
      'Hearing became worse for walkers.',
      'Vision remained sharp in walkers.',
    ]
    const count = (question: string, similarity: number) => {
      const passages = sentences.map((text) => passage(text, text, { similarity }))
      return answerExtractively({ question, passages }).match(/“/g)!.length
    }
    expect(count('Which walkers improved their sleep?', 0.9)).toBe(3)
    expect(count('Was anybody examined?', 0.3)).toBe(5)
  })

  it('answerExtractively prefers the sentence whose words are similar to those of the question', () => {
    const content = 'The weather was wet in all of the weeks. The students wrote their reports by hand.'
    const words = [
      { word: 'pupils', term: 'pupil', cosines: [0.1, 0.8] },
      { word: 'essays', term: 'essay', cosines: [0.2, 0.7] },
    ]
    const question = 'Did pupils type their essays?'
    const [best] = answerExtractively({ question, passages: [passage(content, 'The weather')], words }).split('\n')
    expect(best).toBe('“The students wrote their reports by hand.” [p. 1]')
  })

  it('answerExtractively reports a loose match', () => {
    const weak = { ...SAFETY, similarity: 0.3 }
    expect(
      answerExtractively({ question: 'Is the bicycle expensive?', passages: [weak] }).startsWith(
        `${WEAK_MATCH_ANSWER}\n“`,
      ),
    ).toBe(true)
    expect(answerExtractively({ question: 'How many walkers had a minor fall?', passages: [weak] })).not.toContain(
      WEAK_MATCH_ANSWER,
    )
  })

  it('answerExtractively answers a general question with the fitting kind of sentence', () => {
    const abstract = passage(
      'Abstract\nPoor sleep is common in later life. We aimed to find out whether walking helps. Sleep efficiency improved by five points. Ann Lee, University of Harrowmere, Port Calder, Lindholm College.',
      'Poor sleep',
    )
    expect(answerExtractively({ question: 'What did the study find?', passages: [abstract] })).toBe(
      '“Sleep efficiency improved by five points.” [p. 1]',
    )
    expect(answerExtractively({ question: 'What was the aim?', passages: [abstract] })).toContain(
      'We aimed to find out',
    )
    const limits = passage(
      'It did good.\n6 Limitations\nAll centres were in one district.\n7 Conclusion\nWalking is a way to sleep.',
      'All',
      { page: 7 },
    )
    expect(answerExtractively({ question: 'What are the limitations?', passages: [limits] })).toBe(
      '“All centres were in one district.” [p. 7]',
    )
  })

  it('answerExtractively reports that there is no whole sentence', () => {
    const table = passage('12 34 56 78. and so on until', '12')
    expect(answerExtractively({ question: 'Why?', passages: [table] })).toBe(NO_SENTENCE_ANSWER)
    expect(answerExtractively({ question: 'Why?', passages: [] })).toBe(NO_SENTENCE_ANSWER)
  })

  it('answerExtractively chooses sentences by their own similarity', () => {
    const content = 'The hall was heated by gas in all of these years. Everyone was hurt in some way by the accident.'
    const sentences = [
      { start: 0, end: 50, similarity: 0.1 },
      { start: 50, end: 97, similarity: 0.7 },
    ]
    const passages = [{ ...passage(content, 'The hall', { similarity: 0.7 }), sentences }]
    const [best] = answerExtractively({ question: 'Was anybody injured?', passages }).split('\n')
    expect(best).toBe('“Everyone was hurt in some way by the accident.” [p. 1]')
  })

  it('answerExtractively quotes a table row with its cells separated, and a list item', () => {
    const table = passage('Outcome\tWalkers\tOthers\nMinor falls\t4\t7\nSevere falls\t0\t1', 'Minor')
    expect(answerExtractively({ question: 'How many minor falls did walkers have?', passages: [table] })).toContain(
      '“Minor falls | 4 | 7” [p. 1]',
    )
    const list = passage('We offered:\n• walks in the evening with a volunteer\n• tea', '• walks')
    expect(answerExtractively({ question: 'What was offered in the evening?', passages: [list] })).toContain(
      'walks in the evening with a volunteer” [p. 1]',
    )
  })

  it.each([
    ['How many walkers slept badly?', 'Of the walkers, 14 slept badly.'],
    ['When did the walkers sleep badly?', 'The walkers slept badly in March.'],
  ])('answerExtractively prefers the asked kind: %s', (question, expected) => {
    const content = `Some of the walkers slept badly. ${expected}`
    const quotes = answerExtractively({ question, passages: [passage(content, 'Some')] }).split('\n')
    expect(quotes[0]).toContain(expected)
    expect(quotes[0]).not.toContain('Some of')
  })
})
