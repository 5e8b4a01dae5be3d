/** A direction of change. */
export type Change = 'increase' | 'decrease' | 'better' | 'worse'
type Meaning = Change | 'none'
type HasObject = 'always' | 'never' | 'either'

/** Verbs of change, and whether they have an object. */
const VERBS: readonly (readonly [Meaning, HasObject, infinitives: readonly string[]])[] = [
  ['increase', 'either', ['increase']],
  ['increase', 'always', ['raise', 'elevate', 'prolong', 'lengthen']],
  ['increase', 'never', ['rise', 'grow']],
  ['decrease', 'either', ['decrease', 'diminish']],
  ['decrease', 'always', ['reduce', 'lower', 'shorten']],
  ['decrease', 'never', ['fall', 'decline', 'drop', 'shrink']],
  ['better', 'either', ['improve']],
  ['worse', 'either', ['worsen']],
  ['worse', 'always', ['impair']],
  ['none', 'either', ['change']],
  ['none', 'always', ['alter', 'affect', 'influence']],
  ['none', 'never', ['differ', 'vary']],
]
const IRREGULAR: Partial<Record<string, readonly [past: string, participle: string]>> = {
  rise: ['rose', 'risen'],
  grow: ['grew', 'grown'],
  fall: ['fell', 'fallen'],
  drop: ['dropped', 'dropped'],
  shrink: ['shrank', 'shrunk'],
}
/** Infinitives that are also nouns or adjectives, so that they are not read as the present. */
const AMBIGUOUS = new Set(['increase', 'decrease', 'lower', 'change', 'influence'])
type Kind = 'comparative' | 'quantifier' | 'noun' | 'neutral noun' | 'different' | 'same'
/** Other words for a change or a difference. */
const OTHERS: readonly (readonly [Kind, Meaning, words: string])[] = [
  ['comparative', 'increase', 'higher|longer|greater|larger|more frequent|more common|more numerous'],
  ['comparative', 'decrease', 'lower|shorter|smaller|less frequent|less common|rarer|less numerous'],
  ['comparative', 'better', 'better'],
  ['comparative', 'worse', 'worse'],
  ['quantifier', 'increase', 'more'],
  ['quantifier', 'decrease', 'fewer|less'],
  ['noun', 'increase', 'increase|rise|growth'],
  ['noun', 'decrease', 'reduction|decrease|decline|drop|fall'],
  ['noun', 'better', 'improvement'],
  ['noun', 'worse', 'deterioration'],
  ['neutral noun', 'none', 'difference|change|effect|influence|impact'],
  ['different', 'none', 'different'],
  ['same', 'none', 'unchanged|unaffected|similar|comparable|the same|equal|stable|no different'],
]

const FORMS = VERBS.flatMap(([meaning, object, infinitives]) =>
  infinitives.map((infinitive) => {
    const regular = infinitive.replace(/e?$/, 'ed')
    const [past, participle] = IRREGULAR[infinitive] ?? [regular, regular]
    const present = [`${infinitive.replace(/sh$/, 'she')}s`, ...(AMBIGUOUS.has(infinitive) ? [] : [infinitive])]
    const perfect = ['has', 'have', 'had'].map((auxiliary) => `${auxiliary} ${participle}`)
    const finite = [past, ...(object === 'never' ? perfect : present)]
    return { meaning, object, infinitive, participle, finite }
  }),
)
const withObject = FORMS.filter(({ object }) => object !== 'never')
const ofKind = (...kinds: Kind[]) =>
  OTHERS.flatMap(([kind, , words]) => (kinds.includes(kind) ? [words] : [])).join('|')

/** Alternatives of regular expressions, such as 'higher|longer'. */
export const WORDS = {
  infinitives: FORMS.map(({ infinitive }) => infinitive).join('|'),
  /** Participles of verbs with an object: 'was reduced', 'a reduced risk'. */
  participles: withObject.map(({ participle }) => participle).join('|'),
  /** Finite forms with a direction that are no nouns and no adjectives: 'reduced', 'has risen', but not 'falls' and 'lower'. */
  finite: FORMS.flatMap(({ meaning, finite }) => (meaning === 'none' ? [] : finite)).join('|'),
  /** Forms of verbs with an object: 'reduce', 'reduces', 'reduced'. */
  causes: withObject.flatMap(({ infinitive, finite }) => [infinitive, ...finite]).join('|'),
  comparatives: ofKind('comparative'),
  quantifiers: ofKind('quantifier'),
  nouns: ofKind('noun'),
  nounsAfterNo: ofKind('neutral noun', 'noun'),
  states: ofKind('comparative', 'different', 'same'),
}

const MEANINGS = new Map([
  ...OTHERS.flatMap(([, meaning, words]) => words.split('|').map((word) => [word, meaning] as const)),
  ...FORMS.flatMap(({ meaning, infinitive, participle, finite }) =>
    [infinitive, participle, ...finite].map((form) => [form, meaning] as const),
  ),
])
const SAME = new Set(ofKind('same').split('|'))

/**
 * Returns the direction of a word of WORDS, or of its negation: 'decrease' for 'reduced', 'no decrease' for 'did not reduce',
 * and 'none' for 'did not change' and 'similar'. Null for a word without a direction, such as 'changed', and for 'not similar'.
 */
export function directionOf(word: string, isNegated: boolean): Change | `no ${Change}` | 'none' | null {
  const meaning = MEANINGS.get(word.toLowerCase()) ?? 'none'
  if (meaning === 'none') return SAME.has(word.toLowerCase()) === isNegated ? null : 'none'
  return isNegated ? `no ${meaning}` : meaning
}

/** Returns whether a verb has an object: 'always' for 'reduced', 'never' for 'fell'. 'either' for another word. */
export const objectOf = (word: string): HasObject =>
  FORMS.find(({ infinitive, finite }) => [infinitive, ...finite].includes(word.toLowerCase()))?.object ?? 'either'
