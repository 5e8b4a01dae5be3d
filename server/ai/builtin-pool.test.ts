import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { env } from '#server/lib/env.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { analyzeText } from './analyze.ts'
import type { AiCall } from './ai-call.ts'
import { setAiRecorder } from './record.ts'
import { timeLimits } from './time-limits.ts'

const paper = {
  systemPrompt: 'Summarise.',
  model: BUILT_IN_MODEL.id,
  text: [
    '[Page 1]',
    'Daily walking and sleep in adults: a randomised controlled trial',
    'doi:10.5555/lectern.42',
    'Abstract',
    'Background: Poor sleep is common in adults who sit for most of the day. Methods: We randomly assigned two hundred adults to walk for thirty minutes every day or to carry on as before. Results: Those who walked slept forty minutes longer each night than the others. The difference was smaller in people over seventy. Conclusions: Daily walking lengthens sleep in adults and should be recommended.',
    '[Page 2]',
    'Discussion',
    'We found that daily walking lengthened sleep by forty minutes. These results suggest that physicians should recommend walking to adults who sleep badly.',
  ].join('\n\n'),
}
const ctx = { userId: 'u1', purpose: 'analysis', documentId: 'd1' } as const
const limits = { ...timeLimits }
let calls: AiCall[]
beforeEach(() => {
  calls = []
  env.AI_BASE_URL = undefined
  setAiRecorder(async (call) => void calls.push(call))
})
afterEach(() => Object.assign(timeLimits, limits))

describe('built-in analysis', () => {
  it('The built-in analysis quotes the paper, is recorded and costs nothing', async () => {
    const { result, quotes } = await analyzeText(paper, ctx)
    expect(result).toMatchObject({
      doi: '10.5555/lectern.42',
      title: expect.stringContaining('Daily walking and sleep'),
    })
    expect(result.summary).toContain('forty minutes')
    expect(quotes.length).toBeGreaterThan(3)
    expect(calls).toMatchObject([
      { model: 'built-in', cost_usd: 0, estimated: true, ok: true, purpose: 'analysis', document_id: 'd1' },
    ])
  })

  it('The built-in analysis queues papers and does not mix them', async () => {
    const other = { ...paper, text: paper.text.replaceAll('42', '43').replaceAll('walking', 'swimming') }
    const results = await Promise.all([paper, other, paper].map((one) => analyzeText(one, ctx)))
    expect(results.map(({ result }) => result.doi)).toEqual([
      '10.5555/lectern.42',
      '10.5555/lectern.43',
      '10.5555/lectern.42',
    ])
  })

  it('A built-in analysis that takes too long ends its thread, and the next paper gets a new one', async () => {
    timeLimits.builtInMs = 0
    // At least half a second of work, with a time limit that expires at the next turn of the event loop.
    const body = paper.text.split('[Page 2]')[1]
    const book = {
      ...paper,
      text: `${paper.text}${Array.from({ length: 400 }, (_none, at) => `\n\n[Page ${at + 3}]\n${body}`).join('')}`,
    }
    await expect(analyzeText(book, ctx)).rejects.toMatchObject({ code: 'outside_slow' })
    timeLimits.builtInMs = limits.builtInMs
    expect((await analyzeText(paper, ctx)).result.doi).toBe('10.5555/lectern.42')
    expect(calls.map(({ ok, error }) => [ok, error])).toEqual([
      [false, 'outside_slow'],
      [true, null],
    ])
  })

  it('The built-in analysis stops when its caller aborts it, also while queued, without effect on others', async () => {
    const stop = new AbortController()
    const first = analyzeText(paper, ctx)
    const stopped = [
      analyzeText(paper, { ...ctx, signal: stop.signal }),
      analyzeText(paper, { ...ctx, signal: stop.signal }),
    ]
    const last = analyzeText(paper, ctx)
    void first.then(() => stop.abort())
    for (const one of stopped) await expect(one).rejects.toMatchObject({ name: 'AbortError' })
    expect((await last).result.doi).toBe('10.5555/lectern.42')
    expect(calls.filter(({ error }) => error === 'aborted')).toHaveLength(2)
  })
})
