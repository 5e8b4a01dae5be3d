/** A person's name as `value` ('Given Family') and as printed. */
export interface PrintedName {
  value: string
  printed: string
}

/** The names in a text, and the share of its parts that are names. */
export interface NameList {
  names: PrintedName[]
  share: number
  /** The text ends in a comma, 'and' or a part of a name: it continues on the next line. */
  isOpen: boolean
}

const PARTICLE =
  /^(?:von|van|vom|zu|zum|zur|de|del|della|delle|degli|dei|di|da|das|do|dos|du|des|la|le|las|los|el|al|bin|ibn|ben|bint|abu|ter|ten|tot|den|der|het|af|av|’t|'t)$/u
const NO_BEGINNING = /^(?:der|den|het|des|das|dos|las|los|zu|zum|zur|af|av|degli|delle)$/u
const WORD = /^(?:[dDlLO]['’])?\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*$/u
const INITIALS = /^(?:\p{Lu}\.-?){1,4}$|^\p{Lu}{1,3}$/u
/** 'BEE, A.' has a family name in capitals before its initials. */
const INITIALS_ALONE = /^(?:\p{Lu}\.[- ]?){1,3}$|^\p{Lu}{1,2}$/u
const GENERATION = /^(?:Jr|Sr|II|III|IV)\.?$/
const EAST_ASIAN =
  /^(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,4}[ \u3000]?[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,4}|\p{sc=Hangul}{2,5})$/u
const TITLES = /^(?:(?:Prof|Professor|Dr|Drs|Mr|Mrs|Ms|PD|Ing|Dipl\.-\p{L}+|habil)\.?\s+)+/u
const DEGREE =
  /^(?:M\.?D|Ph\.?\s?D|D\.?Phil|M\.?Sc|B\.?Sc|M\.?P\.?H|M\.?Phil|M\.?A|B\.?A|M\.?S|M\.?B\.?A|M\.?B\.?B\.?S|MBChB|R\.?N|Dr\.?P\.?H|Sc\.?D|D\.?D\.?S|Pharm\.?D|Ed\.?D|J\.?D|FRC\p{Lu}{1,4}|FAC\p{Lu}|MRCP|F?IEEE|(?:Senior |Student )?Member|Fellow)\.?$/u
/** Words of affiliations, headings and banners. */
const NO_NAME =
  /^(?:univ\p{L}*|departe?ment\p{L}*|dept|institut\p{L}*|hospital\p{L}*|clinic\p{L}*|klinik\p{L}*|school|college|facult\p{L}*|fakultät|cent(?:er|re|ro)|laborator\p{L}*|labs?|division|unit|groups?|research|sciences?|engineering|medicine|medical|technolog\p{L}*|ministry|foundation|corporation|inc|ltd|llc|gmbh|company|academy|hochschule|abstract|summary|introduction|keywords|received|accepted|published|revised|available|online|journal|proceedings|conference|volume|vol|issue|article|paper|review|report|letters?|original|open|access|editors?|corresponding|authors?|e-?mail|address|contact|copyright|license|version|working|series|special|section|preprint|supplement\p{L}*|consortium|collaboration|team|network|program(?:me)?|project|services?|health|public|studies|study|trial|analysis|association|society|council|national|international|federal|state|city|street|road|avenue|united|kingdom|republic|new|north|south|east|west|january|february|march|april|june|july|august|september|october|november|december|manuscript|guest|orcid|data|systems?|the|and|of)$/iu
const MARKS = /(?:[\p{No}*∗†‡§¶‖#✉✝⁎"″^⁺⁻]|(?<=[\p{L}.,\s])\d{1,3}(?=[\s,.;*∗†‡§¶#]|$))+/gu
const SEPARATOR = /[,;·•|\t\n、，；・]|\s(?:and|und|et|y|e|och|og|en|ja|i|и|και|&|with)\s|&/u
const OPEN = /(?:[,;·•&]|\b(?:and|und|et|y|e|och|og|en))\s*$/u

/**
 * Reads the names in a row of authors: 'Ann Bee¹,*, Carl van Dee, MD; E. Eff and Gus Hay Jr.' Removes marks of
 * affiliations and footnotes, degrees, addresses and 'et al.'. A name in capitals gets small letters, and 'Bee, Ann;
 * Dee, Carl' or 'Bee A, Dee C' the given name first. `isCommonWord` tells words of the paper that are no names.
 */
export function readNames(text: string, isCommonWord: (word: string) => boolean = () => false): NameList {
  const plain = text
    .replace(/\([^()]{0,300}(?:\)|$)/g, ' ')
    .replace(/\S+@\S+|https?:\S+|\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b/g, ' , ')
    .replace(/\bet\.? al\b\.?/gi, ' , ')
    .replace(/^\s*(?:by|authors?\s*:?|autor(?:en|es)?\s*:)\s+/i, '')
    .replace(MARKS, ' , ')
    .replace(/(?<=[\p{L}.]) [a-h](?=\s*(?:[,;·]|$))/gu, ' , ')
  const byFamily = plain.includes(';') ? familyFirst(plain) : null
  const parts = (byFamily ?? plain.split(SEPARATOR))
    .map(trimPart)
    .filter((part) => lettersIn(part) > 1 || /^\p{Lu}\.?$/u.test(part))
  const names: PrintedName[] = []
  let others = 0
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    const next = parts[index + 1]
    if (DEGREE.test(part)) continue
    if (GENERATION.test(part) && names.length > 0) {
      const last = names.at(-1)!
      names[names.length - 1] = { ...last, value: `${last.value} ${part}` }
      continue
    }
    const value = nameOf(part, isCommonWord)
    if (value) names.push({ value, printed: part })
    else if (next && WORD.test(part) && lettersIn(part) > 1 && INITIALS_ALONE.test(next)) {
      names.push({ value: `${next} ${part === part.toUpperCase() ? lowered([part])[0]! : part}`, printed: part })
      index++
    } else others++
  }
  const last = parts.at(-1)
  const isBroken =
    last !== undefined &&
    !/[ .]/.test(last) &&
    WORD.test(last) &&
    !DEGREE.test(last) &&
    !GENERATION.test(last) &&
    names.at(-1)?.printed !== last
  const isOpen = OPEN.test(text.trimEnd()) || isBroken
  return { names, share: names.length === 0 ? 0 : names.length / (names.length + others), isOpen }
}

/** 'Bee, Ann; Dee, Carl' -> ['Ann Bee', 'Carl Dee']; null for any other list. */
function familyFirst(text: string): string[] | null {
  const people = text.split(';').map((person) =>
    person
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  const isPair = (person: string[]) =>
    person.length === 2 && person.every((part) => /^\p{Lu}[\p{L}.’' -]*$/u.test(part))
  return people.length > 1 && people.every(isPair) ? people.map(([family, given]) => `${given} ${family}`) : null
}

const lettersIn = (text: string) => text.match(/\p{L}/gu)?.length ?? 0

function trimPart(part: string): string {
  const words = part
    .replace(/\s+/g, ' ')
    .replace(/^[\s.:–—-]+|[\s:–—-]+$/gu, '')
    .replace(TITLES, '')
    .split(' ')
  while (words.length > 1 && DEGREE.test(words.at(-1)!) && words.at(-1)!.length > 1) words.pop()
  const text = words.join(' ')
  // A full stop after an initial or Jr. belongs to the name.
  return /(?:^|[\s.-])(?:\p{Lu}|Jr|Sr)\.$/u.test(text) ? text : text.replace(/\.$/, '')
}

/** Returns the name in normal form, or null. */
function nameOf(part: string, isCommonWord: (word: string) => boolean): string | null {
  if (EAST_ASIAN.test(part)) return part
  const tokens = part.split(' ')
  if (tokens.length < 2 || tokens.length > 7) return null
  const isCapitals =
    tokens.every((token) => token === token.toUpperCase()) && tokens.some((token) => lettersIn(token) > 2)
  const isInitials = (token: string) =>
    INITIALS.test(token) && (token.includes('.') || lettersIn(token) === 1 || !isCapitals)
  const isValid = tokens.every(
    (token) => WORD.test(token) || isInitials(token) || PARTICLE.test(token) || GENERATION.test(token),
  )
  const words = tokens.filter((token) => WORD.test(token) && !isInitials(token) && !GENERATION.test(token))
  if (!isValid || words.length === 0 || PARTICLE.test(tokens.at(-1)!)) return null
  if (NO_BEGINNING.test(tokens[0]!)) return null
  if (tokens.some((token) => NO_NAME.test(token.replace(/\.$/, '')))) return null
  if (words.every((word) => isCommonWord(word.toLowerCase()))) return null
  // 'Bee A' or 'Bee AC'.
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  const isFamilyFirst = tokens.length === 2 && isInitials(last) && !isInitials(first)
  if (isFamilyFirst) return `${last} ${first}`
  // 'Ann BEE'
  const isLoud = (token: string) => lettersIn(token) > 2 && token === token.toUpperCase() && !isInitials(token)
  return tokens.flatMap((token) => (isCapitals || isLoud(token) ? lowered([token]) : [token])).join(' ')
}

/** 'ANN B. BEE' -> 'Ann B. Bee'. */
const lowered = (tokens: readonly string[]) =>
  tokens.map((token) =>
    token.includes('.') || lettersIn(token) < 2
      ? token
      : token.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()),
  )
