/** Nouns for the people or animals that a study observes. */
export const SUBJECTS =
  'people|persons?|individuals|participants|patients|subjects|volunteers|respondents|interviewees|adults|children|infants|newborns|adolescents|teenagers|students|pupils|teachers|nurses|doctors|physicians|clinicians|carers|caregivers|women|men|girls|boys|mothers|fathers|parents|couples|families|households|workers|employees|users|developers|athletes|players|residents|veterans|survivors|animals|rats|mice'

/**
 * Matches a question for the size of a sample: 'How many people took part?', 'How many older adults did the trial include?',
 * 'What was the sample size?' Does not match 'How many patients had a fever?' and 'How many of the patients took part?'
 */
const ASKS_FOR_SIZE = new RegExp(
  [
    String.raw`^(?:(?:and|so) )?how many (?:\p{L}+ )?(?:${SUBJECTS})(?: in total)? (?:took part|participated|(?:were|are) (?:there|included|enroll?ed|recruited|randomi[sz]ed|studied|involved|examined|surveyed|interviewed|in the (?:study|trial|sample|cohort|survey))|(?:did|does) (?:the|this) (?:study|trial|paper|survey|cohort|experiment) (?:have|include|enroll?|recruit|randomi[sz]e|involve|examine|interview))\b`,
    String.raw`^(?:what|how (?:large|big)) (?:was|is) (?:the|its) sample(?: size)?\W*$`,
    String.raw`^(?:what|how (?:large|big)) (?:was|is) the sample(?: size)? (?:of|in) (?:the|this) (?:study|trial|paper|survey|cohort|experiment)\b`,
  ].join('|'),
  'iu',
)

/** Returns whether a question asks how many people or animals a study had. */
export const asksForSampleSize = (question: string): boolean => ASKS_FOR_SIZE.test(question)

/**
 * Removes the words that ask for a sample size from a question: returns 'in the trial of naps' for 'How many people took part
 * in the trial of naps?'. Returns every other question unchanged.
 */
export const withoutSizeWords = (question: string): string => question.replace(ASKS_FOR_SIZE, '').trim()
