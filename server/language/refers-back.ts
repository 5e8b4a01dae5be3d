import { searchTerms } from './search-terms.ts'

/** A question with fewer search terms than this refers to the previous question, because it names no complete subject. */
const LEAST_TERMS = 3
/** With fewer search terms than this, a pronoun counts at any place of the question. */
const FEW_TERMS = 4
/** Matches the start of a question that only replaces a part of the previous question: 'And in children?', 'What about …'. */
const CONTINUES =
  /^(?:(?:and|but|or|so) )?(?:what|how) about\b|^(?:and|but|or) (?:in|for|with|without|after|before|during|among|at|by|on|of|from|to)\b/i
/** Matches the start of a question for a degree. Its adjective is nothing to which a pronoun can refer: 'How large was its'. */
const DEGREE = /^(?:and |but )?how \p{L}+ (?:is|are|was|were|do|does|did|has|have|can|will)\b/iu
/** Matches pronouns and similar words, such as 'ones' and 'the same'. */
const PRONOUNS = /\b(?:it|its|they|them|their|theirs|this|that|these|those|ones|he|she|the same)\b/giu
/** Matches the text before a pronoun if the pronoun can refer to the previous question despite nouns before it: 'in these'. */
const PREPOSITION = /\b(?:of|in|for|from|with|without|by|to|at|on|among|between|after|before|during|like)\s+$/i
/** Matches a conjunction or relative pronoun. A pronoun after it usually refers to a noun of the same question. */
const CLAUSE = /\b(?:and|but|or|if|when|while|who|which|whose|that|because|although|whether|than)\b/i
/** Matches the text from an 'it' whose meaning is in the following clause: 'it safe to take', 'it true that', 'it help if'. */
const EXPLETIVE =
  /^it\s+(?:(?:be|been|also|still|really|more|less|not)\s+)*(?!due|similar|equivalent|equal|superior|inferior|specific|sensitive|resistant|lead|apply|relate|refer|compare|respond)(?!\p{L}+ed\b)(?:make sense|\p{L}+)(?:\s+(?:to|that|whether|if)\b|\s+for\b.*\bto\b)/iu
/** Matches the text from a demonstrative that a comparison or a relative clause explains: 'those who smoke', 'that of men'. */
const EXPLAINED = /^(?:that|those|ones)\s+(?:of|in|with|without|who|whose|which|that|\p{L}+(?:ed|ing)\b)/iu

/**
 * Returns whether a question can refer to the subject of the previous question. This is so if the question has fewer than three
 * search terms, if it begins as a continuation ('What about …'), or if it has a pronoun and no noun in the same question to
 * which the pronoun can refer.
 */
export function refersBack(question: string): boolean {
  const terms = new Set(searchTerms(question)).size
  if (terms < LEAST_TERMS || CONTINUES.test(question.trim())) return true
  return [...question.matchAll(PRONOUNS)].some(({ 0: pronoun, index }) => {
    const before = question.slice(0, index)
    const rest = question.slice(index)
    if (EXPLETIVE.test(rest) || EXPLAINED.test(rest)) return false
    if (searchTerms(before.replace(DEGREE, '')).length === 0) return true
    if (/^(?:its|their|that)$/i.test(pronoun) && !PREPOSITION.test(before)) return false
    return terms < FEW_TERMS || (/^th[aeio]/i.test(pronoun) && PREPOSITION.test(before) && !CLAUSE.test(before))
  })
}
