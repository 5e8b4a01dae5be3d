/** A person's name as `value` ('Given Family') and as printed. */
export interface PrintedName {
  value: string
  printed: string
}

/** The names in a text. `share` is the share of names, 0..1, among the parts of the text between separators such as commas. */
export interface NameList {
  names: PrintedName[]
  share: number
  /** True if the text ends in a comma, 'and' or a part of a name, so that the list continues on the next line. */
  isOpen: boolean
}

const PARTICLE =
  /^(?:von|van|vom|zu|zum|zur|de|del|della|delle|degli|dei|di|da|das|do|dos|du|des|la|le|las|los|el|al|bin|ibn|ben|bint|abu|ter|ten|tot|den|der|het|af|av|ap|ab|mac|nic|ní|’t|‘t|'t)$/u
const NO_BEGINNING = /^(?:der|den|het|des|das|dos|las|los|zu|zum|zur|af|av|degli|delle)$/u
/** Matches a capitalized word of a name, with or without a joined article: 'Bee', 'al-Sayed', 'dell’Acqua'. */
const WORD =
  /^(?:(?:dell|dall|[dDlLO])['’]|(?:al|el|ad|an|ar|as|at|az|ed|en|er|es|et|ez|ash|esh|ul|bin|ben)[-‐])?\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*$/u
const INITIALS = /^(?:\p{Lu}\.-?){1,4}$|^\p{Lu}{1,3}$|^(?:Ste?|Chr|Th|Ph|Wm|Yu|Ya|Zh|Kh|Ch|Sh)\.$/u
/** Matches a part that has only initials, as the second part of 'BEE, A.'. */
const INITIALS_ALONE = /^(?:\p{Lu}\.[- ]?){1,3}$|^\p{Lu}$/u
const GENERATION = /^(?:Jr|JR|Sr|SR|II|III|IV)\.?$/
const EAST_ASIAN =
  /^(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,4}[ \u3000]?[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,4}|\p{sc=Hangul}{2,5})$/u
const TITLES = /^(?:(?:Prof|Professor|Dr|Drs|Mr|Mrs|Ms|PD|Ing|Dipl\.-\p{L}+|habil)\.?\s+)+/u
const DEGREE =
  /^(?:M\.?D|Ph\.?\s?D|D\.?Phil|M\.?Sc|B\.?Sc|M\.?P\.?H|M\.?Phil|M\.?A|B\.?A|M\.?S|M\.?B\.?A|M\.?B\.?B\.?S|MBChB|R\.?N|Dr\.?P\.?H|Sc\.?D|D\.?D\.?S|Pharm\.?D|Ed\.?D|J\.?D|FRC\p{Lu}{1,4}|FAC\p{Lu}|MRCP|F?IEEE|(?:(?:Graduate|Senior|Student|Associate|Life) )*(?:Member|Fellow))\.?$/u
/**
 * Matches a degree or membership after a name that DEGREE does not list: two to six capitals, each with up to three lower-case
 * letters, as in 'FRSE' or 'DipEd'.
 */
const SOME_DEGREE = /^(?:\p{Lu}\p{Ll}{0,3}\.?\s?){2,6}$/u
/** Matches the name of a group of authors, as in 'Ann Bee, Tea Study Group'. */
const GROUP =
  /\b(?:group|consortium|collaborat(?:ion|ive|ors)|investigators|trialists|committee|initiative|alliance|task force|network|team)$/iu
/** Words of NO_NAME that can be a family name at the end of a name (FAMILY), or a given name at its beginning (GIVEN). */
const FAMILY = /^(?:north|south|east|west|street|march|may|august|guest|new)$/iu
const GIVEN = /^(?:april|june|august)$/iu
/** Words of affiliations, headings and banners: a text with such a word is not a name, unless `isPersonal` allows it. */
const NO_NAME =
  /^(?:univ\p{L}*|departe?ment\p{L}*|dept|institut\p{L}*|hospital\p{L}*|clinic\p{L}*|klinik\p{L}*|school|college|facult\p{L}*|fakultät|cent(?:er|re|ro)|laborator\p{L}*|labs?|division|unit|groups?|research|sciences?|engineering|medicine|medical|technolog\p{L}*|ministry|foundation|corporation|inc|ltd|llc|gmbh|company|academy|hochschule|abstract|summary|introduction|keywords|received|accepted|published|revised|available|online|journal|proceedings|conference|volume|vol|issue|article|paper|review|report|letters?|original|open|access|editors?|corresponding|authors?|e-?mail|address|contact|copyright|license|version|working|series|special|section|preprint|supplement\p{L}*|consortium|collaboration|team|network|program(?:me)?|project|services?|health|public|studies|study|trial|analysis|association|society|council|national|international|federal|state|city|street|road|avenue|united|kingdom|republic|new|north|south|east|west|january|february|march|april|june|july|august|september|october|november|december|manuscript|guest|orcid|data|systems?|the|and|of)$/iu
const MARKS = /(?:[\p{No}*∗†‡§¶‖#✉✝☯¤🖂⁎"″^⁺⁻]|(?<=[\p{L}.,\s])\d{1,3}(?=[\s,.;*∗†‡§¶#✉☯¤]|$))+/gu
/** Matches quotation marks after a name. OCR reads the superscript numbers of affiliations as quotation marks. */
const OCR_MARKS = /(?<=\p{L})['’‘"“”°]{1,3}(?=\s*(?:[,;·]|$)|\s(?:and|und|et|y|&)\s)/gu
const SEPARATOR = /[,;·•|\t\n、，；・]|\s\/\s|\s(?:and|AND|und|UND|et|y|e|och|og|en|ja|i|и|και|&|with)\s|&/u
/** Marks a conjunction that is part of a name, as in 'Ortega y Campos', so that the name is not split there. */
const JOINED = '\u2060'
const OPEN = /(?:[,;·•&]|[\p{L}\d]-|\b(?:and|und|et|y|e|och|og|en))\s*$/u

/**
 * Reads the names in a row of authors: 'Ann Bee¹,*, Carl van Dee, MD; E. Eff and Gus Hay Jr.' Removes marks of affiliations and
 * footnotes, degrees, addresses and 'et al.'. Converts names in capitals ('ANN BEE' to 'Ann Bee'), and puts the given name
 * first in 'Bee, Ann; Dee, Carl' and 'Bee A, Dee C'. A text is not a name if `isCommonWord` is true for all its words.
 */
export function readNames(text: string, isCommonWord: (word: string) => boolean = () => false): NameList {
  const plain = text
    // The length of an e-mail address is limited, so that the time is linear in the length of the text.
    .replace(/\S{1,254}@\S+|https?:\S+|\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b/g, ' , ')
    .replace(/\([^\p{L}()]{0,60}\)|\[[^\p{L}[\]]{0,90}\]/gu, ' , ')
    .replace(/\([^()]{0,300}(?:\)|$)/g, ' ')
    .replace(/^\s*\d{1,2}\s?(?:st|nd|rd|th)\s+(?=\p{Lu})/u, '')
    .replace(/\bet\.? al\b\.?/gi, ' , ')
    .replace(
      /[,;]?\s(?:and|for|on behalf of)\s+the\s.*\b(?:group|consortium|collaborat(?:ion|ive|ors)|investigators|trialists|team|network)\b.*$/isu,
      '',
    )
    .replace(/(?<=\p{L}) ?\b(?:ORCID(?: ?iD)?|iD)\b:?|(?<=\p{L}{2}) I?D(?=\s*(?:[,;·\d\p{No}*]|$))/gu, ' , ')
    .replace(
      /^\s*(?:(?:written |presented |submitted )?by|von|vorgelegt von|authors?\s*:?|autor(?:en|es)?\s*:)\s+/i,
      '',
    )
    .replace(MARKS, ' , ')
    .replace(OCR_MARKS, ' , ')
    .replace(/(?<=[\p{L}.]) [a-h](?=\s*(?:[,;·]|$|\s(?:and|und|et|y|&)\s))/gu, ' , ')
    // 'José Ortega y Campos' is one name: a single word after the conjunction is not another author.
    .replace(
      / ([eyi]) (?<=\p{L}{1,30} \p{L}{1,30} [eyi] )(?=\p{Lu}[\p{L}’-]{1,30}\s*(?:[,;·|&]|$|(?:and|e|y|i|&) ))/gu,
      ` ${JOINED}$1 `,
    )
  const byFamily = plain.includes(';') ? familyFirst(plain) : null
  const parts = (byFamily ?? plain.split(SEPARATOR))
    .map(trimPart)
    .filter((part) => lettersIn(part) > 1 || /^\p{Lu}\.?$/u.test(part))
  const isCapitalRow = plain.length > 20 && !/\p{Ll}{3}/u.test(plain)
  const names: PrintedName[] = []
  let others = 0
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    const next = parts[index + 1]
    if (DEGREE.test(part) || GROUP.test(part)) continue
    if (GENERATION.test(part) && names.length > 0) {
      const last = names.at(-1)!
      names[names.length - 1] = { ...last, value: `${last.value} ${part}` }
      continue
    }
    const value = nameOf(part, isCommonWord, isCapitalRow)
    if (value) names.push({ value, printed: part.replaceAll(JOINED, '') })
    else if (next && WORD.test(part) && lettersIn(part) > 1 && INITIALS_ALONE.test(next) && !DEGREE.test(next)) {
      names.push({ value: `${next} ${part === part.toUpperCase() ? lowered([part])[0]! : part}`, printed: part })
      index++
    } else if (names.length === 0 || !SOME_DEGREE.test(part)) others++
  }
  const last = parts.at(-1)
  const isBroken =
    last !== undefined &&
    !/[ .]/.test(last) &&
    WORD.test(last) &&
    !DEGREE.test(last) &&
    !GENERATION.test(last) &&
    names.at(-1)?.printed !== last
  const isOpen = OPEN.test(text.trimEnd()) || PARTICLE.test(last?.split(' ').at(-1) ?? '') || isBroken
  return { names, share: names.length === 0 ? 0 : names.length / (names.length + others), isOpen }
}

/**
 * Converts a list of names with the family name first: 'Bee, Ann; Dee, Carl' -> ['Ann Bee', 'Carl Dee']. Returns null for any
 * other list.
 */
function familyFirst(text: string): string[] | null {
  const people = text.split(';').map((person) =>
    person
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  const isPair = (person: string[]) =>
    person.length === 2 && !DEGREE.test(person[1]!) && person.every((part) => /^\p{Lu}[\p{L}.’' -]*$/u.test(part))
  return people.length > 1 && people.every(isPair) ? people.map(([family, given]) => `${given} ${family}`) : null
}

const lettersIn = (text: string) => text.match(/\p{L}/gu)?.length ?? 0

function trimPart(part: string): string {
  const words = part
    .replace(/\s+/g, ' ')
    .replace(/^[\s.:–—-]+|[\s:–—-]+$/gu, '')
    .replace(TITLES, '')
    .split(' ')
  while (words.length > 1 && !DEGREE.test(words.join(' ')) && DEGREE.test(words.at(-1)!) && words.at(-1)!.length > 1)
    words.pop()
  const text = words.join(' ')
  // A full stop after an initial or Jr. belongs to the name.
  return /(?:^|[\s.-])(?:\p{Lu}|Jr|Sr)\.$/u.test(text) ? text : text.replace(/\.$/, '')
}

/** Returns the name as 'Given Family' with usual capitals, or null if the part is not a name. */
function nameOf(part: string, isCommonWord: (word: string) => boolean, isCapitalRow: boolean): string | null {
  if (EAST_ASIAN.test(part)) return part
  const tokens = part.replaceAll(JOINED, '').split(' ')
  if (tokens.length < 2 || tokens.length > 7) return null
  const isCapitals =
    tokens.every((token) => token === token.toUpperCase()) &&
    (isCapitalRow || tokens.some((token) => lettersIn(token) > 2))
  const isInitials = (token: string) =>
    INITIALS.test(token) && (token.includes('.') || lettersIn(token) === 1 || !isCapitals)
  const isParticle = (token: string) =>
    PARTICLE.test(token) || /^[’‘']T$/.test(token) || (part.includes(JOINED) && /^[eyi]$/.test(token))
  const isValid = tokens.every(
    (token) => WORD.test(token) || isInitials(token) || isParticle(token) || GENERATION.test(token),
  )
  const words = tokens.filter((token) => WORD.test(token) && !isInitials(token) && !GENERATION.test(token))
  if (!isValid || words.length === 0 || PARTICLE.test(tokens.at(-1)!)) return null
  if (NO_BEGINNING.test(tokens[0]!)) return null
  if (tokens.some((token, at) => NO_NAME.test(token.replace(/\.$/, '')) && !isPersonal(token, at, tokens.length)))
    return null
  if (words.every((word) => isCommonWord(word.toLowerCase()))) return null
  // 'Bee A' or 'Bee AC'.
  const last = tokens.at(-1)!
  const isFamilyFirst = isInitials(last) && !GENERATION.test(last) && !tokens.slice(0, -1).some(isInitials)
  if (isFamilyFirst) return [last, ...tokens.slice(0, -1)].join(' ')
  // 'Ann BEE'
  const isLoud = (token: string) => lettersIn(token) > 2 && token === token.toUpperCase() && !isInitials(token)
  const isLowParticle = (token: string, at: number) => at > 0 && PARTICLE.test(token.toLowerCase())
  return tokens
    .flatMap((token, at) => {
      if (isCapitals && isLowParticle(token, at)) return token.toLowerCase()
      return isCapitals || isLoud(token) ? lowered([token]) : token
    })
    .join(' ')
}

/**
 * Returns whether a word of NO_NAME is a given or family name by its place: 'Kate West' and 'June Clark', but not 'West Lake'.
 */
const isPersonal = (token: string, at: number, length: number) =>
  at === 0 ? GIVEN.test(token) : at === length - 1 && FAMILY.test(token)

/** Converts the parts of a name from capitals: 'ANN B. BEE' -> 'Ann B. Bee'. */
const lowered = (tokens: readonly string[]) =>
  tokens.map((token) =>
    token.includes('.') || lettersIn(token) < 2
      ? token
      : token.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()),
  )
