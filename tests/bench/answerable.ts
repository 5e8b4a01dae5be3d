import { appendFile } from 'node:fs/promises'
import { loadCrossEncoder } from '#server/ai/builtin/cross-encoder/score-sentences.ts'
import { currentModel } from '#server/ai/builtin/sentence-model/current.ts'
import { loadEncoder } from '#server/ai/builtin/sentence-model/encode.ts'
import { isEnglishText } from '#server/language/english.ts'
import { partAsked } from '#server/language/question-part.ts'
import { type Judged, judgeIn, readFurther, readPaper } from './measure-question.ts'
import { paperPath, type QuestionSet, readQuestionSets } from './question-sets.ts'
import type { BenchRow } from './report.ts'

/**
 * Indexes, from 0, among the direct and reworded questions of each other question set. These questions are asked about the
 * measured paper, which does not answer them.
 */
const FOREIGN = [3, 4]

interface Asked extends Judged {
  half: QuestionSet['half']
  paper: string
  /**
   * The source of the question. `own`: the paper's set in tests/bench/questions. `further`: the paper's file in
   * tests/bench/answerable. `foreign`: the question set of another paper.
   */
  origin: 'own' | 'further' | 'foreign'
  question: string
  isAnswered: boolean
}

/**
 * Measures the share of questions about English papers that Lectern refuses to answer. Runs in this process without HTTP and
 * without generating answers. BENCH_HALF selects one half of the papers. BENCH_MEASURES=<file> appends the measures of each
 * question as a line of JSON, to fit the weights in doubt.ts.
 */
export async function run(): Promise<BenchRow[]> {
  const half = process.env['BENCH_HALF']
  const asked = await askAll(readQuestionSets().filter((set) => half === undefined || set.half === half))
  const file = process.env['BENCH_MEASURES']
  if (file) await appendFile(file, asked.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return (['unseen', 'development'] as const).flatMap((part) =>
    rowsOf(
      `${part} half`,
      asked.filter((one) => one.half === part),
    ),
  )
}

async function askAll(sets: readonly QuestionSet[]): Promise<Asked[]> {
  const encoder = await loadEncoder(currentModel().model!, 1)
  const crossEncoder = await loadCrossEncoder(1)
  const asked: Asked[] = []
  for (const set of sets) {
    const path = paperPath(set.paper)
    if (!path) console.error(`  skipped: ${set.paper} is not on this machine`)
    const paper = path ? await readPaper(path, encoder) : null
    if (!paper || !isEnglishText(paper.text.slice(0, 20_000))) continue
    const questions = [
      ...set.questions.map(({ kind, question }) => ({
        question,
        isAnswered: kind !== 'unanswerable',
        origin: 'own' as const,
      })),
      ...(await readFurther(set.paper)).map((one) => ({ ...one, origin: 'further' as const })),
      ...foreignTo(set, sets).map((question) => ({ question, isAnswered: false, origin: 'foreign' as const })),
    ]
    for (const one of questions) {
      if (!isEnglishText(one.question) || partAsked(one.question)) continue
      asked.push({
        half: set.half,
        paper: set.paper,
        ...one,
        ...(await judgeIn(paper, one.question, encoder, crossEncoder)),
      })
    }
  }
  return asked
}

const foreignTo = ({ paper }: QuestionSet, sets: readonly QuestionSet[]): string[] =>
  sets
    .filter((other) => other.paper !== paper)
    .flatMap(({ questions }) => {
      const usual = questions.filter(({ kind }) => kind === 'direct' || kind === 'reworded')
      return FOREIGN.flatMap((at) => usual[at]?.question ?? [])
    })

const rowsOf = (what: string, judged: readonly Asked[]): BenchRow[] =>
  (['own', 'further', 'foreign'] as const).flatMap((origin) => {
    const own = judged.filter((one) => one.origin === origin)
    if (own.length === 0) return []
    const [without, answered] = [false, true].map((isAnswered) => own.filter((one) => one.isAnswered === isAnswered))
    return [
      {
        what: `${what}: ${origin} questions refused`,
        measured: share(without!),
        peer: `answered questions refused ${share(answered!)}`,
        ratio: '',
        aim: '≥ 0.700; ≤ 0.020',
        note: `${without!.length} and ${answered!.length} questions`,
      },
    ]
  })

const share = (judged: readonly Asked[]) =>
  judged.length === 0 ? 'none' : (judged.filter(({ isRefused }) => isRefused).length / judged.length).toFixed(3)
