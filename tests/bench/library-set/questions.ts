import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { QuestionSet } from '../question-sets.ts'
import { type Study, STUDIES_OF_TOPIC } from './abstracts.ts'

/**
 * Kinds of questions about all papers of a project that have an answer. `one`: one paper answers in the words of the question.
 * `reworded`: it answers in other words. `numeric`: the answer is a number. `compare`: two papers are needed. `disagree`: the
 * papers contradict each other. UNANSWERED lists the other kinds: the papers do not cover the topic, they cover it but not the
 * fact that is asked for, or the question assumes something false.
 */
export const ANSWERED = ['one', 'reworded', 'numeric', 'compare', 'disagree'] as const
export const UNANSWERED = ['no topic', 'no such fact', 'false premise'] as const
export type LibraryKind = (typeof ANSWERED)[number] | (typeof UNANSWERED)[number]

/** A question about all papers of a project. A paper is identified by the name of its file, and a study by its city. */
export interface LibraryQuestion {
  id: string
  half: 'development' | 'unseen'
  kind: LibraryKind
  question: string
  /** The papers that answer. A `compare` question needs both papers; for the other kinds one of the papers is enough. */
  papers: string[]
  /** Words that a correct answer contains. [] if they are unknown. */
  gold: string[]
}

/** Returns the half of a question about abstracts, which depends on the hash of its id. */
const halfOf = (id: string) => ((createHash('sha256').update(id).digest()[0]! & 1) === 0 ? 'unseen' : 'development')

/** Every third question of each paper's question set is asked. The questions do not contain the title of the paper. */
const EACH = 3

/**
 * Returns all questions: about the studies, about topics that no paper covers, and from the papers' question sets. The latter
 * are in the half of their paper.
 */
export const listQuestions = (studies: readonly Study[], sets: readonly QuestionSet[]): LibraryQuestion[] => [
  ...Array.from({ length: studies.length / STUDIES_OF_TOPIC }, (_, at) =>
    ofTopic(studies.slice(at * STUDIES_OF_TOPIC, (at + 1) * STUDIES_OF_TOPIC), at),
  ).flat(),
  ...z
    .array(z.string())
    .parse(JSON.parse(readFileSync(new URL('absent-topics.json', import.meta.url), 'utf8')))
    .map((question, at) => withHalf({ id: `topic-${at}`, kind: 'no topic', question, papers: [], gold: [] })),
  ...sets.flatMap(ofSet),
  ...readDevelopment(),
]

/** Returns further questions, written by hand, of which most need several papers. All are in the development half. */
const readDevelopment = (): LibraryQuestion[] =>
  z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum([...ANSWERED, ...UNANSWERED]),
        question: z.string(),
        papers: z.array(z.string()),
        gold: z.array(z.string()),
      }),
    )
    .parse(JSON.parse(readFileSync(new URL('development.json', import.meta.url), 'utf8')))
    .map((question) => ({ ...question, half: 'development' as const }))

function ofTopic(studies: readonly Study[], at: number): LibraryQuestion[] {
  const { topic } = studies[0]!
  const all = studies.map(({ city }) => city)
  const [one, other, third, fourth] = [0, 2, 4, 5].map((place) => studies[(at + place) % studies.length]!)
  const { people, treatment, control, outcome, key } = topic
  const exact = [
    { kind: 'one', question: `Who was assigned to ${treatment} or ${control} in ${one!.city}?`, gold: [people] },
    { kind: 'numeric', question: `How many ${people} took part in ${one!.city}?`, gold: [String(one!.participants)] },
    {
      kind: 'numeric',
      question: `How many weeks was ${treatment} observed in ${one!.city}?`,
      gold: [String(one!.weeks)],
    },
    { kind: 'one', question: `How did ${outcome} change with ${treatment} in ${one!.city}?`, gold: [one!.change] },
  ] as const
  const chosen = [exact[at % exact.length]!, exact[(at + 1) % exact.length]!]
  const without = (template: string, study: Study) => template.replace('{city}', study.city)
  return [
    ...chosen.map((question) => ({ ...question, papers: [one!.city], gold: [...question.gold] })),
    { kind: 'reworded' as const, question: topic.reworded, papers: all, gold: [] },
    {
      kind: 'compare' as const,
      question: `Did ${outcome} change more with ${treatment} in ${other!.city} or in ${third!.city}?`,
      papers: [other!.city, third!.city],
      gold: [other!.change, third!.change],
    },
    { kind: 'disagree' as const, question: topic.disagree, papers: all, gold: [] },
    { kind: 'no such fact' as const, question: without(topic.absent, fourth!), papers: [], gold: [] },
    { kind: 'false premise' as const, question: without(topic.premise, third!), papers: [], gold: [] },
  ].map((question, place) => withHalf({ id: `${key}-${place}`, ...question }))
}

const withHalf = (question: Omit<LibraryQuestion, 'half'>): LibraryQuestion => ({
  ...question,
  half: halfOf(question.id),
})

function ofSet({ paper, half, questions }: QuestionSet): LibraryQuestion[] {
  const kinds = {
    direct: 'one',
    reworded: 'reworded',
    numeric: 'numeric',
    table: 'numeric',
    unanswerable: 'no such fact',
  }
  return questions
    .filter((question, at) => at % EACH === 0 && question.kind !== 'translated')
    .map((question) => ({
      id: question.id,
      half,
      kind: kinds[question.kind as keyof typeof kinds] as LibraryKind,
      question: question.question,
      papers: question.kind === 'unanswerable' ? [] : [paper],
      gold: question.kind === 'unanswerable' ? [] : question.gold,
    }))
}
