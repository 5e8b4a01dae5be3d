import { isAdvice, isCiting, isGuide } from './sentence-cues.ts'

const anyOf = (...alternatives: string[]) => new RegExp(alternatives.join('|'), 'i')

/** Matches sentences with a result that is not certain, or not about the treatment and all participants. */
const UNREAD = anyOf(
  // Hedges, plans, hypotheses, opinions and questions.
  String.raw`\b(?:may|might|could|can|cannot|would|should|will|if|whether|unless|when|hypothes\w*|expected|expects?|predict\w*|believed?|believes|thought|assum\w*|propos\w*|suggest\w*|seem\w*|appear\w*|tend(?:s|ed)?|tendency|trends?|possibl[ey]|potential\w*|perhaps|probabl[ey]|unclear|unknown|known|uncertain|likely|claim\w*|argue\w*|reported that|said|perceiv\w*|felt)\b|\?|^\W*H\d+[a-z]?\b`,
  // Concessions, exceptions, and effects that are small or end.
  String.raw`\b(?:although|though|while|whereas|despite|only|except\w*|but not|never|neither|hardly|barely|rarely|often|little|almost|numerical\w*|marginal\w*|borderline|initial\w*|temporar\w*|transient\w*|short-lived|no longer|disappear\w*|vanish\w*|lost|attenuat\w*|slow\w*|faster|delay\w*|not (?:seen|observed|sustained|maintained|confirmed|replicated|robust|persist))\b`,
  // Other relations, and analyses of a part of the data.
  String.raw`\b(?:depend\w*|mediat\w*|moderat(?:ed|es|ors?|ing|ion)|interact\w*|correlat\w*|inversely|negatively|control(?:led|ling) for|explained by|accounted for|confound\w*|unadjusted|univaria\w+|post[ -]hoc|per[ -]protocol|risk of bias|sensitivity analys[ei]s|(?:non-?)?inferior\w*|superiority|equivalence)\b`,
  // Parts of the participants, all groups alike, and doses.
  String.raw`\b(?:subgroups?|confined|in one|another|others|respectively|regardless|irrespective|alike|equally|similarly|same extent|as \w+ as|less (?:than|with|in|after|under|strongly)|(?:trials|studies) (?:with|of|in)|(?:one|two|three|four|five|six|\d+) (?:out )?of (?:the|these|two|three|four|five|six|seven|eight|nine|ten|\d+)|(?:all|both|either|each|most|some|other) (?:\w+ )?(?:groups?|arms?|conditions?|treatments?|cohorts?|sites|trials|studies)|doses|dosages|regimens)\b`,
  // Changes along a scale: 'with distance'.
  String.raw`\b(?:distance|proximity|(?<!associated )with (?:increasing|decreasing|growing|rising|higher|lower|greater|more|fewer|age|time|dose|depth|height|duration))\b`,
  // Values before the treatment.
  String.raw`\b(?:baseline|pre-?tests?|before (?:the )?(?:intervention|treatment|trial|study)|at (?:inclusion|enrol+ment|entry|admission|randomi[sz]ation|the (?:start|outset|beginning)))\b`,
)

/** Returns a text without the parts in parentheses and brackets. */
export const withoutParentheses = (text: string): string => text.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, ' ')

/** Returns whether a sentence is a hedge, a plan, a statement about other work, or about a part of the participants. */
export function isUncertain(sentence: string): boolean {
  const text = withoutParentheses(sentence)
  return UNREAD.test(text) || isCiting(sentence) || isGuide(text) || isAdvice(text)
}

const NOT_SIGNIFICANT = anyOf(
  String.raw`\b(?:non[- ]?|in|not (?:(?:statistically|clinically) )?)significant\b|\b(?:non[- ]?|in)significantly\b`,
  String.raw`\bnot (?:statistically )?significantly(?=\W*$|[,;)])|\b(?:not|failed to) (?:reach|achiev|attain)|\bapproach\w* significance`,
  String.raw`\b(?:no|without) (?:statistical(?:ly)? )?significan(?:ce\b|t differences?\b(?! in))`,
  String.raw`\bn\.?s\.?(?=[\s,;)]|$)`,
  String.raw`\bps?(?:[ -]?values?)? ?(?:(?:[=>≥]|was|of) ?(?:0?[.·,](?:0[5-9]|[1-9])|1\b)|< ?0?[.·](?:1|0[6-9]))`,
)
const NUMBER = String.raw`[-−–]? ?\d*[.·]?\d+`
/** Matches the ends of a confidence interval: '95% CI 0.85 to 1.11', 'HR 0.97 (0.85–1.11)'. */
const INTERVAL = new RegExp(
  String.raw`\b(?:CI|CrI|intervals?|(?:[HOR]R|ratio)[ =:,]*\d*[.·]\d+)\b[^\d−–-]{0,12}(${NUMBER}) ?%? ?(?:to|and|[-–—,;]) ?(${NUMBER})`,
  'gi',
)
/** Matches the changes of two groups: 'by 2.4 kg with metformin and by 0.3 kg with placebo'. */
const TWO_CHANGES = /\bby (\d+(?:\.\d+)?).* and by (\d+(?:\.\d+)?)/i
const numberIn = (text: string) => Number(text.replaceAll(/[−–]/g, '-').replaceAll(' ', '').replace('·', '.'))

/**
 * Returns whether a sentence reports that a difference is not significant: in words, by a P value of 0.05 or more, by a
 * confidence interval that contains 0 or 1, or by similar changes of two groups. An interval of differences that contains 1,
 * such as 0.4 to 3, counts, too.
 */
export const isNotSignificant = (sentence: string): boolean =>
  NOT_SIGNIFICANT.test(sentence) ||
  areSimilar(TWO_CHANGES.exec(sentence)) ||
  [...sentence.matchAll(INTERVAL)].some(([, lower, upper]) => {
    const [from, to] = [numberIn(lower!), numberIn(upper!)]
    return from < 0 ? to >= 0 : from <= 1 && to >= 1
  })

const areSimilar = (changes: RegExpExecArray | null) => changes !== null && Number(changes[2]) > Number(changes[1]) / 2
