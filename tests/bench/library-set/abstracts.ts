import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { seeded } from '#tests/helpers/random.ts'

/**
 * The parts of the abstracts of several studies on one subject, and questions about them. '{city}' is replaced by the city of a
 * study.
 */
const topic = z.object({
  key: z.string(),
  title: z.string(),
  background: z.string(),
  people: z.string(),
  treatment: z.string(),
  control: z.string(),
  outcome: z.string(),
  unit: z.string(),
  /** The direction in which the outcome changes if the treatment works. */
  wanted: z.enum(['rose', 'fell']),
  second: z.string(),
  /** A question about the subject that shares few words with the abstracts. */
  reworded: z.string(),
  disagree: z.string(),
  /** A question without an answer: the abstracts cover its subject, but not the quantity or entity that it asks for. */
  absent: z.string(),
  /** A question without an answer, because it assumes something false. */
  premise: z.string(),
})
export type Topic = z.infer<typeof topic>

export const readTopics = (): Topic[] =>
  z.array(topic).parse(JSON.parse(readFileSync(new URL('topics.json', import.meta.url), 'utf8')))

/** An invented study: its abstract, and the facts that the abstract reports. */
export interface Study {
  topic: Topic
  city: string
  title: string
  abstract: string
  participants: number
  weeks: number
  /** The change of the outcome, as the abstract prints it. */
  change: string
  /** Whether the outcome changed in the direction that `Topic.wanted` names. */
  isWanted: boolean
}

export const STUDIES_OF_TOPIC = 8
/** Indexes of the studies of each topic whose result contradicts the other studies. */
const CONTRARY = new Set([3, 6])

const STARTS = 'Alder Bram Corn Dun Eller Farn Gar Hasl Ing Jarn Kett Lind Marr Norr Oster Pell'.split(' ')
const ENDS = 'beck bury dale field ford gate ham holm ley mere stow wick worth'.split(' ')
const OPENINGS = [
  'We compared {treatment} with {control} in {n} {people} in {city}.',
  'In a randomised trial in {city}, {n} {people} received either {treatment} or {control}.',
  'This study from {city} assigned {n} {people} to {treatment} or to {control}.',
  'Between spring and autumn, {n} {people} in {city} were observed with {treatment} or {control}.',
]
const LENGTHS = [
  'The observation lasted {w} weeks.',
  'Follow-up took {w} weeks.',
  'Data were collected for {w} weeks.',
  'All measurements were repeated after {w} weeks.',
]
const RESULTS = {
  wanted: [
    'With {treatment}, {outcome} {wanted} by {x} {unit} compared with {control}.',
    'Compared with {control}, {treatment} changed {outcome}: it {wanted} by {x} {unit}.',
    'At the end, {outcome} {wanted} by {x} {unit} more with {treatment} than with {control}.',
  ],
  contrary: [
    'Contrary to expectation, {outcome} {other} by {x} {unit} with {treatment}.',
    'We found no benefit of {treatment}: {outcome} {other} by {x} {unit} compared with {control}.',
  ],
}
const REMARKS = [
  'Staff who assessed the results did not know the allocation.',
  'The analysis followed the intention to treat.',
  'Missing values were imputed by chained equations.',
  'Results did not differ between men and women.',
  'The protocol was registered in advance.',
  'A mixed model accounted for repeated measurements.',
  'Few participants withdrew before the end.',
]
const ENDINGS = [
  'Longer studies are needed before a recommendation.',
  'The effect was similar in all subgroups.',
  'Local conditions limit how far the results can be generalised.',
  'The findings support a wider introduction.',
]

/** Returns the invented studies of all topics, in the order of the topics. Every call returns the same studies. */
export const writeStudies = (topics: readonly Topic[]): Study[] =>
  topics.flatMap((one, at) =>
    Array.from({ length: STUDIES_OF_TOPIC }, (_, study) => writeStudy(one, at * STUDIES_OF_TOPIC + study)),
  )

function writeStudy(one: Topic, number: number): Study {
  // Other seeds would give other abstracts, so that results of the benchmark could not be compared with earlier ones.
  const random = seeded((number + 1) * 0x9e3779b1)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  // Neighbors in the list of places are studies of different topics.
  const place = (number * 37) % (STARTS.length * ENDS.length)
  const city = STARTS[Math.floor(place / ENDS.length)]! + ENDS[place % ENDS.length]!
  const participants = 24 + Math.floor(random() * 900)
  const weeks = 4 + Math.floor(random() * 60)
  const change = (0.4 + random() * 9).toFixed(1)
  const isWanted = !CONTRARY.has(number % STUDIES_OF_TOPIC)
  const facts: Record<string, string> = {
    ...one,
    city,
    n: String(participants),
    w: String(weeks),
    x: change,
    z: String(3 + Math.floor(random() * 60)),
    other: one.wanted === 'rose' ? 'fell' : 'rose',
  }
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts[name]!)
  const sentences = [
    one.background,
    pick(OPENINGS),
    pick(LENGTHS),
    pick(REMARKS),
    pick(isWanted ? RESULTS.wanted : RESULTS.contrary),
    one.second,
    pick(ENDINGS),
  ].map(fill)
  const abstract = sentences.map((text) => text.charAt(0).toUpperCase() + text.slice(1)).join(' ')
  return {
    topic: one,
    city,
    title: `${one.title}: a study in ${city}`,
    abstract,
    participants,
    weeks,
    change,
    isWanted,
  }
}
