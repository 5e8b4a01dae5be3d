import { beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { type Asking, begin, type Paper } from '#tests/helpers/asking.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const paper = (town: string, result: string): Paper => ({
  title: `Vitamin D and falls: a trial in ${town}`,
  text: `Abstract\nOld people in care homes often fall. In a randomised trial in ${town}, residents of care homes received daily vitamin D tablets or placebo tablets. ${result} Few residents withdrew before the end.`,
})
const FELL = ['Alder', 'Bram', 'Corn', 'Dun', 'Eller', 'Farn', 'Gar'].map(
  (town, at) =>
    [town, `Daily vitamin D tablets reduced the rate of falls by ${at + 2}% compared with placebo.`] as const,
)
const ROSE = ['Hasl', 'Ing'].map(
  (town, at) =>
    [town, `With daily vitamin D tablets, the rate of falls rose by ${at + 3}% compared with placebo.`] as const,
)
const SAME = ['Jarn', 'Vitamin D tablets had no effect on the rate of falls.'] as const
const QUESTION = 'Do studies agree that vitamin D tablets lower the rate of falls?'

const DECREASE = 'a decrease in the rate of falls'
const INCREASE = 'an increase in the rate of falls'

describe('papers that disagree, with the built-in model', () => {
  const projectOf = async (papers: readonly Paper[]) => {
    const asking = await begin(sharedServer())
    const ids: string[] = []
    for (const one of papers) ids.push(await asking.insert(one))
    await asking.vectorize(ids)
    return asking
  }
  const papersOf = (results: readonly (readonly [string, string])[]) => results.map(([town, text]) => paper(town, text))
  const answerOf = async (asking: Asking, question: string) =>
    (await asking.ask(await asking.start(), question)).answer!
  /** Returns the quotes of each side by its label. */
  const sidesOf = ({ sentences, groups }: Awaited<ReturnType<typeof answerOf>>) =>
    Object.fromEntries(
      groups.map((label, at) => [
        label,
        sentences
          .filter(({ group }) => group === at)
          .map(({ text }) => text)
          .toSorted(),
      ]),
    )

  let mixed: Asking
  beforeAll(async () => {
    mixed = await projectOf(papersOf([...FELL.slice(0, 3), ...ROSE, SAME]))
  })

  it('Quotes are grouped by the results that they report, with the number of papers (LIB-16)', async () => {
    const answer = await answerOf(mixed, QUESTION)
    expect(answer.kind).toBe('passages')
    expect(sidesOf(answer)).toEqual({
      [`3 papers report ${DECREASE}`]: FELL.slice(0, 3).map(([, text]) => text),
      [`2 papers report ${INCREASE}`]: ROSE.map(([, text]) => text),
      '1 paper reports no clear difference in the rate of falls': [SAME[1]],
    })
    // The quotes of a side follow each other.
    const order = answer.sentences.map(({ group }) => group)
    expect(order).toEqual(order.toSorted((one, other) => one! - other!))
  })

  it('A stored answer, its run and an exported conversation have the same sides (LIB-16, FND-33, FND-34)', async () => {
    const conversation = await mixed.start()
    const first = await mixed.ask(conversation, QUESTION)
    const repeated = await mixed.ask(conversation, QUESTION, { again: true, repeats: first.id })
    expect([repeated.answer!.cached, repeated.answer!.groups]).toEqual([true, first.answer!.groups])
    const text = await (await mixed.ada.fetch(api.conversationExport(conversation, 'md'))).text()
    expect(text).toContain(`**3 papers report ${DECREASE}:**\n\nDaily vitamin D tablets reduced`)
    expect(text).not.toContain('These passages answer best')
    const { values } = await mixed.run(first)
    const sides = values.filter(({ key }) => key === 'side').map(({ text: label }) => label)
    expect(sides).toEqual(first.answer!.groups)
    const csv = await (await mixed.ada.fetch(api.runExport(first.run_id!, 'csv'))).text()
    for (const side of sides) expect(csv).toContain(`,${side},`)
  })

  it('A question that asks for no effect has no sides (LIB-16)', async () => {
    const answer = await answerOf(mixed, 'How many percent was the rate of falls changed by vitamin D tablets?')
    expect([answer.kind, answer.groups]).toEqual(['passages', []])
  })

  it('A paper that contradicts six others is quoted although the answer is full (LIB-16)', async () => {
    const asking = await projectOf(papersOf([...FELL, ROSE[0]!]))
    const answer = await answerOf(asking, QUESTION)
    expect(answer.sentences).toHaveLength(6)
    expect(Object.keys(sidesOf(answer)).toSorted()).toEqual([
      `1 paper reports ${INCREASE}`,
      `5 papers report ${DECREASE}`,
    ])
  })

  it('Papers with different outcomes or treatments have no sides (LIB-16)', async () => {
    const others = [
      ['Kett', 'Daily vitamin D tablets raised the fear of falls by 4% compared with placebo.'],
      ['Lind', 'Daily calcium tablets increased the rate of falls by 4% compared with placebo.'],
      ['Marr', 'The rate of falls rose by 3% in women but not in men who received vitamin D tablets.'],
      ['Norr', 'Vitamin D tablets may increase the rate of falls.'],
    ] as const
    const asking = await projectOf(papersOf([...FELL.slice(0, 2), ...others]))
    const answer = await answerOf(asking, QUESTION)
    expect(answer.sentences.length).toBeGreaterThan(2)
    expect([answer.groups, answer.sentences.every(({ group }) => group === null)]).toEqual([[], true])
  })
})
