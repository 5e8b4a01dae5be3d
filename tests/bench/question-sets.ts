import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const ROOT = new URL('../../', import.meta.url)
const FOLDER = new URL('questions/', import.meta.url)
const SAMPLES = new URL('../shared/data/papers/', ROOT)

/**
 * Kinds of questions that have an answer in the paper. `direct`: in the words of the paper. `reworded`: in the words of a
 * person who has not read the paper. `numeric`: asks for a number or date. `table`: the answer is in a row of a table.
 * `translated`: an English question about a paper in another language.
 */
export const ANSWERABLE = ['direct', 'reworded', 'numeric', 'table', 'translated'] as const
export type AnswerableKind = (typeof ANSWERABLE)[number]

/**
 * A question that the paper answers. `quote`: the text that answers, on this page of the extracted text. `gold`: texts that a
 * correct answer contains; [] if they are unknown.
 */
const answerable = z.object({
  id: z.string(),
  kind: z.enum(ANSWERABLE),
  question: z.string(),
  quote: z.string(),
  page: z.number().int().positive(),
  gold: z.array(z.string()),
})
/**
 * A question that the paper does not answer. `missing`: the words of the question that the paper does not contain; [] if it
 * contains all of them.
 */
const unanswerable = z.object({
  id: z.string(),
  kind: z.literal('unanswerable'),
  question: z.string(),
  missing: z.array(z.string()),
})

/**
 * The questions about one paper. Each set is in one of two halves. Weights and limits are tuned with the half 'development'
 * only.
 */
const questionSet = z.object({
  /**
   * Base name of a paper in tests/fixtures/papers, of a PDF in tests/fixtures, or of a sample paper in a folder next to the
   * checkout.
   */
  paper: z.string(),
  origin: z.enum(['invented', 'real']),
  half: z.enum(['development', 'unseen']),
  questions: z.array(z.discriminatedUnion('kind', [answerable, unanswerable])),
})
export type QuestionSet = z.infer<typeof questionSet>
export type Question = QuestionSet['questions'][number]
export type AnswerableQuestion = z.infer<typeof answerable>

/** Returns whether the text contains every gold text as whole words and numbers: '9' is not found in '19', '1.9' or '9.5'. */
export function containsGold(text: string, gold: readonly string[]): boolean {
  const plain = withSingleSpaces(text)
  return gold.every((wanted) =>
    new RegExp(`(?<![\\p{L}\\p{N}]|\\d[.,])${escaped(withSingleSpaces(wanted))}(?![\\p{L}\\p{N}]|[.,]\\d)`, 'iu').test(
      plain,
    ),
  )
}
const withSingleSpaces = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ')
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A person's name as printed on the first page, without its footnote characters. */
const authorName = z.object({ given: z.string(), family: z.string() })

/**
 * The true metadata of the papers. A value is null or empty if the paper does not print it. `journal` lists all printed forms
 * of the name; each of them is correct. Dates are yyyy-MM-dd; `published` is null if only a month or year is printed.
 */
const metadataSet = z.array(
  z.object({
    paper: z.string(),
    half: z.enum(['development', 'unseen']),
    title: z.string(),
    authors: z.array(authorName),
    doi: z.string().nullable(),
    journal: z.array(z.string()),
    published: z.iso.date().nullable(),
    received: z.iso.date().nullable(),
    accepted: z.iso.date().nullable(),
  }),
)
export type PaperMetadata = z.infer<typeof metadataSet>[number]

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))

/** Returns all question sets, sorted by file name. */
export const readQuestionSets = (): QuestionSet[] =>
  readdirSync(FOLDER)
    .filter((name) => name !== 'metadata.json')
    .sort()
    .map((name) => questionSet.parse(readJson(name)))

export const readMetadataSet = (): PaperMetadata[] => metadataSet.parse(readJson('metadata.json'))

/** Returns the path of the PDF of a paper, or null if it does not exist on this machine. */
export function paperPath(paper: string): string | null {
  const places = [
    new URL(`tests/fixtures/papers/${paper}.pdf`, ROOT),
    new URL(`tests/fixtures/${paper}.pdf`, ROOT),
    new URL(`${paper}.pdf`, SAMPLES),
  ]
  const found = places.find((place) => existsSync(place))
  return found ? fileURLToPath(found) : null
}
