import { describe, expect, it } from 'vitest'
import { WEAK_MATCH_ANSWER, notMentionedAnswer } from '#shared/contract/chat.ts'
import { pagesIn } from '#shared/passages/page-ranges.ts'
import { joinPages, splitPages } from '#shared/pdf-text/page-text.ts'
import { groundAnswer } from './ground-answer.ts'
import { readSentences } from './read-answer.ts'

const PAGES = splitPages(
  joinPages([
    'Sleep efficiency rose from 74.1% to 80.6% in the walking group. Nothing else changed.',
    'Four walkers had a minor fall during a walk; none needed treatment beyond a plaster. Sleep efficiency rose.',
    'Participants said: “the group made me go”. They liked it.',
  ]),
)

describe('readSentences', () => {
  it.each<[string, [text: string, pages: number[], quotes: string[]][]]>([
    [
      'It rose [p. 1]. It fell [p. 2] [p. 3].',
      [
        ['It rose.', [1], []],
        ['It fell.', [2, 3], []],
      ],
    ],
    [
      'It rose. [p. 1] It fell. [pp. 2, 3]',
      [
        ['It rose.', [1], []],
        ['It fell.', [2, 3], []],
      ],
    ],
    [
      '“It rose a lot.” [p. 1]\n“It fell a bit.” [p. 2]',
      [
        ['“It rose a lot.”', [1], ['It rose a lot.']],
        ['“It fell a bit.”', [2], ['It fell a bit.']],
      ],
    ],
    ['They say "it rose a lot" (p. 12).', [['They say "it rose a lot".', [12], ['it rose a lot']]]],
    ['The “effect” was small [p. 4].', [['The “effect” was small.', [4], []]]],
    ['“He said “go on now” to us.” [p. 3]', [['“He said “go on now” to us.”', [3], ['He said “go on now” to us.']]]],
    ['No marker here. [p. 1]', [['No marker here.', [1], []]]],
    ['Twice [p. 1] the same [p. 1].', [['Twice the same.', [1], []]]],
    ['It rose [pp. 4–6] [p. 9].', [['It rose.', [4, 5, 6, 9], []]]],
    ['[p. 2]', []],
    ['', []],
    [
      '“It rose a lot” and “it fell a bit”',
      [['“It rose a lot” and “it fell a bit”', [], ['It rose a lot', 'it fell a bit']]],
    ],
    [
      '"It rose a lot" or "it fell a bit"',
      [['"It rose a lot" or "it fell a bit"', [], ['It rose a lot', 'it fell a bit']]],
    ],
  ])('readSentences reads %j', (answer, expected) => {
    const read = readSentences(answer).map(({ text, cited, quotes }) => [text, cited.flatMap(pagesIn), quotes])
    expect(read).toEqual(expected)
  })

  it.each(['“', '”', '«'])('readSentences reads 700,000 marks %s in linear time', (mark) => {
    expect(readSentences(`“It rose ${mark.repeat(700_000)}”`)).toHaveLength(1)
    expect(readSentences(`It rose ${mark.repeat(700_000)}`)).toHaveLength(1)
  })
})

describe('groundAnswer', () => {
  const ground = (answer: string) =>
    groundAnswer(answer, PAGES).map(({ passages }) =>
      passages.map(({ page, start, end, match }) => [
        match,
        page,
        page === null ? null : PAGES[page - 1]!.text.slice(start!, end!),
      ]),
    )

  it.each<[what: string, answer: string, expected: unknown]>([
    [
      'a quoted sentence is found exactly',
      '“Four walkers had a minor fall during a walk; none needed treatment beyond a plaster.” [p. 2]',
      [[['exact', 2, 'Four walkers had a minor fall during a walk; none needed treatment beyond a plaster.']]],
    ],
    [
      'quoted words take precedence over the sentence',
      'People liked that "the group made me go" [p. 3].',
      [[['exact', 3, 'the group made me go']]],
    ],
    [
      'the place on the cited page is preferred',
      '“Sleep efficiency rose” [p. 2].',
      [[['exact', 2, 'Sleep efficiency rose']]],
    ],
    [
      'words are found despite a wrong page',
      '“Nothing else changed.” [p. 3]',
      [
        [
          ['exact', 1, 'Nothing else changed.'],
          ['none', null, null],
        ],
      ],
    ],
    [
      'a reworded sentence is found by the words that it shares with its page',
      'In this trial, sleep efficiency rose from 74.1% to 80.6% thanks to the programme [p. 1].',
      [[['approximate', 1, 'Sleep efficiency rose from 74.1% to 80.6%']]],
    ],
    [
      'a quote on a page within a cited range is found',
      '“Sleep efficiency rose” [pp. 2–3], and “the group made me go” [pp. 1–3].',
      [
        [
          ['exact', 2, 'Sleep efficiency rose'],
          ['exact', 3, 'the group made me go'],
        ],
      ],
    ],
    [
      'a reworded sentence is found by the words that it shares with a page of the range',
      'In this trial, four walkers had a minor fall during a walk, as expected [pp. 1–3].',
      [[['approximate', 2, 'Four walkers had a minor fall during a walk']]],
    ],
    [
      'a sentence that is not in the paper is not found',
      'Walking cures every illness known to man [p. 2].',
      [[['none', null, null]]],
    ],
    [
      'a sentence without a page that is not in the paper is not found',
      'The moon is made of green cheese.',
      [[['none', null, null]]],
    ],
    [
      'an invented quotation is not found in a sentence with a true statement',
      '“Walking cures every illness” was shown [p. 1].',
      [[['none', null, null]]],
    ],
    [
      'a message of the product has no passages',
      `${WEAK_MATCH_ANSWER}\n“They liked it.” [p. 3]`,
      [[], [['exact', 3, 'They liked it.']]],
    ],
  ])('groundAnswer: %s', (_, answer, expected) => {
    expect(ground(answer)).toEqual(expected)
  })

  it('groundAnswer returns a score between 0.5 and 0.8 for a reworded sentence', () => {
    const [statement] = groundAnswer(
      'All in all, four walkers had a minor fall during a walk in the park [p. 2].',
      PAGES,
    )
    expect(statement!.passages[0]!.score).toBeGreaterThan(0.5)
    expect(statement!.passages[0]!.score).toBeLessThan(0.8)
  })

  it('groundAnswer reads an answer of only dots, blanks or brackets in linear time', () => {
    for (const part of ['.', ' ', '\t\n', '(', '[p. ', '. [p. 1', '”', '1, '])
      expect(groundAnswer(`It rose${part.repeat(20_000)} [p. 1].`, []).length).toBeGreaterThan(0)
  })

  it.each<[what: string, answer: string, numbers: string[]]>([
    ['a quoted number', 'Efficiency rose from 74.1% to 80.6% in the walking group [p. 1].', []],
    ['an invented number', 'Sleep efficiency rose from 74.1% to 86% in the walking group [p. 1].', ['86']],
    ['a number that the paper writes as a word', '4 walkers had a minor fall during a walk [p. 2].', []],
    ['a sentence that is not found', 'No walker has ever seen 17 zebras near the village.', []],
  ])('groundAnswer names unsupported numbers: %s', (_what, answer, numbers) => {
    expect(groundAnswer(answer, PAGES).flatMap((statement) => statement.unsupported_numbers)).toEqual(numbers)
  })

  it('groundAnswer cites nothing for the reply that the paper does not mention a word', () => {
    const [statement] = groundAnswer(notMentionedAnswer(['GPU', 'TPU']), PAGES)
    expect(statement).toEqual({
      text: 'I could not find an answer to this in the paper: it never mentions GPU or TPU.',
      passages: [],
      unsupported_numbers: [],
    })
  })
})
