import winkNLP, { type WinkMethods } from 'wink-nlp'
import model from 'wink-eng-lite-web-model'
import { stopwordsOf, type Language } from './language.ts'
import { contentWords } from './textrank.ts'

const MOST_KEYPHRASES = 8
const MOST_WORDS = 4
/**
 * Maximum number of characters that are searched for key phrases. Part-of-speech tagging takes about 1 ms per 1,500 characters.
 */
const MOST_CHARACTERS = 80_000
/** Matches adjectives of value or quantity, which are removed from the beginning of a phrase. */
const EMPTY_ADJECTIVE =
  /^(?:major|minor|high(?:er|est)?|low(?:er|est)?|large[rs]?t?|small(?:er|est)?|good|bad|better|best|worse|worst|great(?:er|est)?|important|main|key|possible|single|various|additional|available|current|specific|general|common|similar|significant|several|certain|necessary|useful|real|full|whole|last|next|previous|overall|own|due|dominant|emerging|excellent|easy|hard|early|late|long|short|strong|weak|actual|average|total|frequent|corresponding|respective|enough|true|able)$/i
/** Matches words that occur in every paper and name no subject. */
const EMPTY =
  /^(?:fig(?:ure)?|table|section|stud(?:y|ies)|paper|results?|authors?|approach(?:es)?|works?|examples?|numbers?|participants?|respondents?|researchers?|group|time|way|people|others?|use|terms?|order|part|level|values?|mean|median|version|types?|kind|research|analys[ei]s|data|effects?|items?|questions?|tasks?|changes?|appendix|hypothes[ie]s|steps?|et|al|pp|vol|doi|https?|www|org|com|conclusion|discussion|introduction|background|methods?|findings|future|further|first|second|third|weeks?|days?|months?|years?|hours?|minutes?|different|many|several|such|other|same|new|most|more|own)$/i

interface Candidate {
  words: string[]
  forms: Map<string, number>
  count: number
}

let nlp: WinkMethods | undefined

/**
 * Returns up to eight key phrases, best first: English noun phrases (adjectives and nouns by part of speech), or in other
 * languages the sequences of words between stopwords. They are scored by C-value (Frantzi, Ananiadou & Mima 2000), which favors
 * long phrases that also occur outside longer ones, with a bonus for phrases in the title or abstract. A phrase must occur at
 * least twice; the title counts as two occurrences.
 */
export function findKeyphrases(
  sentences: readonly string[],
  title: string,
  abstract: string,
  language: Language,
): string[] {
  const stopwords = stopwordsOf(language)
  // The title counts twice: its phrases are candidates even if the text shortens them.
  const text = bounded([title, title, ...sentences])
  const candidates = new Map<string, Candidate>()
  for (const words of language === 'eng' ? nounPhrases(text, stopwords) : runsBetweenStopwords(text, stopwords)) {
    const key = stems(words, stopwords)
    if (key === '') continue
    const known = candidates.get(key) ?? { words, forms: new Map<string, number>(), count: 0 }
    const form = words.join(' ')
    known.forms.set(form, (known.forms.get(form) ?? 0) + 1)
    known.count++
    candidates.set(key, known)
  }
  const inTitle = ` ${stems(title.split(/\s+/), stopwords)} `
  const inAbstract = ` ${stems(abstract.split(/\s+/), stopwords)} `
  const keys = [...candidates.keys()]
  const scored = keys
    .filter((key) => candidates.get(key)!.count >= 2)
    .map((key) => {
      const one = candidates.get(key)!
      const boost = 1 + (inTitle.includes(` ${key} `) ? 0.8 : 0) + (inAbstract.includes(` ${key} `) ? 0.5 : 0)
      return { key, score: cValue(key, one.count, keys, candidates) * boost }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  const chosen: string[] = []
  for (const { key } of scored) {
    if (chosen.length >= MOST_KEYPHRASES) break
    if (!chosen.some((other) => ` ${other} `.includes(` ${key} `) || ` ${key} `.includes(` ${other} `)))
      chosen.push(key)
  }
  return chosen.map((key) => usualForm(candidates.get(key)!))
}

/**
 * Returns how well a phrase represents the text, by its C-value: higher for phrases with more words and for phrases that are
 * frequent outside longer candidates. Log2(number of words + 1) (0.35 for one word) is multiplied by log2(1 + n), where n is
 * the number of occurrences minus the mean number of occurrences of the longer candidates that contain the phrase.
 */
function cValue(
  key: string,
  count: number,
  keys: readonly string[],
  candidates: ReadonlyMap<string, Candidate>,
): number {
  const longer = keys.filter((other) => other.length > key.length && ` ${other} `.includes(` ${key} `))
  const nested = longer.reduce((sum, other) => sum + candidates.get(other)!.count, 0)
  // `count` excludes occurrences inside longer phrases: add these, minus their mean.
  const own = longer.length === 0 ? count : count + nested - nested / longer.length
  const length = key.split(' ').length
  return (length === 1 ? 0.35 : Math.log2(length + 1)) * Math.log2(1 + own)
}

function bounded(sentences: readonly string[]): string {
  let length = 0
  return sentences.filter((sentence) => (length += sentence.length) < MOST_CHARACTERS).join('\n')
}

const stems = (words: readonly string[], stopwords: ReadonlySet<string>) =>
  contentWords(words.join(' '), stopwords).join(' ')

function nounPhrases(text: string, stopwords: ReadonlySet<string>): string[][] {
  nlp ??= winkNLP(model, ['sbd', 'pos'])
  const { its } = nlp
  const document = nlp.readDoc(text)
  const words = document.tokens().out()
  const tags = document.tokens().out(its.pos) as unknown as string[]
  const phrases: string[][] = []
  let phrase: { word: string; tag: string }[] = []
  const close = () => {
    while (phrase.length > 0 && phrase.at(-1)!.tag === 'ADJ') phrase.pop()
    if (phrase.length > 0 && phrase.length <= MOST_WORDS && !EMPTY.test(phrase.at(-1)!.word))
      phrases.push(phrase.map((one) => one.word))
    phrase = []
  }
  for (const [at, word] of words.entries()) {
    const tag = tags[at]!
    const isPart = (tag === 'NOUN' || tag === 'PROPN' || tag === 'ADJ') && /^\p{L}[\p{L}\p{N}-]+$/u.test(word)
    if (
      isPart &&
      !stopwords.has(word.toLowerCase()) &&
      !(phrase.length === 0 && (EMPTY.test(word) || (tag === 'ADJ' && EMPTY_ADJECTIVE.test(word))))
    )
      phrase.push({ word, tag })
    else close()
  }
  close()
  return phrases
}

/** Returns the runs of up to three words between stopwords and punctuation, as RAKE does (Rose et al. 2010). */
function runsBetweenStopwords(text: string, stopwords: ReadonlySet<string>): string[][] {
  return text
    .split(/[^\p{L}\p{N}\s-]+|\n/u)
    .flatMap((clause) => {
      const runs: string[][] = [[]]
      for (const word of clause.split(/\s+/)) {
        if (stopwords.has(word.toLowerCase()) || !/^\p{L}[\p{L}\p{N}-]{2,}$/u.test(word)) runs.push([])
        else runs.at(-1)!.push(word)
      }
      return runs
    })
    .filter((run) => run.length > 0 && run.length <= 3)
}

/** Returns the most frequent form of a phrase, in lower case if the text also has it in lower case. */
function usualForm(candidate: Candidate): string {
  const forms = [...candidate.forms].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const form = forms[0]![0]
  return forms.find(([other]) => other === form.toLowerCase())?.[0] ?? form
}
