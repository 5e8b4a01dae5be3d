/**
 * Matches inflected words whose British form doubles the last letter of the stem, such as 'labelled'. A word such as 'spelled',
 * whose stem has the double letter, does not match.
 */
const DOUBLED = /^(cancel|channel|fuel|label|level|model|signal|total|travel|tunnel)l(?=ed$|er$|ers$|ing$)/

/**
 * Patterns of British spellings with their American forms. Some patterns require letters before the ending, so that 'hour' and
 * 'rise' do not match.
 */
const RULES: readonly (readonly [british: RegExp, american: string])[] = [
  [DOUBLED, '$1'],
  // 'anaemia', 'diarrhoea', 'oedema', 'oestrogen'
  [/ae|oe(?=[a-z]{2}|a)/g, 'e'],
  // 'behaviour', 'tumours', 'labouring'
  [/(?<=[a-z]{3})our(?=$|s$|al|ed$|ing|able|ite|hood|less|ful)/, 'or'],
  // 'randomised', 'analyse', 'organisation'
  [/(?<=[a-z]{3})ys(?=e$|ed$|er$|ers$|ing$)/, 'yz'],
  [/(?<=[a-z]{4})is(?=e$|ed$|er$|ers$|es$|ing$|ations?$)/, 'iz'],
  // 'centre', 'fibres'
  [/(?<=[a-z]{2}[bt])re(?=s?$)/, 'er'],
  [/(?<=[a-z]log)ue(?=s?$)/, ''],
  [/^programme(?=s?$)/, 'program'],
  [/^sulph/, 'sulf'],
  [/^(def|off)ence/, '$1ense'],
]

/** Converts the British spelling of a word in lower case to the American one, so that both spellings give the same word. */
export const inOneSpelling = (word: string): string =>
  RULES.reduce((spelled, [british, american]) => spelled.replace(british, american), word)
