import { deu, eng, fra, ita, nld, por, spa } from 'stopword'

/** ISO 639-3 code of a language with known stopwords; 'und' when undetected. */
export type Language = 'eng' | 'deu' | 'fra' | 'spa' | 'por' | 'ita' | 'nld' | 'und'

/** Frequent words of English papers that do not name a subject. */
const ACADEMIC =
  'abstract also although among analysis approach article author based because between case conclusion data different doi due during each either et al e.g i.e example fig figure finding first found further general given had high however important include including kind large less main many may method methods much must new number obtained one order our paper part participant participants particular per possible present problem process provide related research result results review section several show shown significant similar since small some study studies such table test than that there therefore these this those three thus two type use used useful using various via well were what when where whether which while within without work would year years'

const lists: Record<Exclude<Language, 'und'>, ReadonlySet<string>> = {
  eng: new Set([...eng, ...ACADEMIC.split(' ')]),
  deu: new Set(deu),
  fra: new Set(fra),
  spa: new Set(spa),
  por: new Set(por),
  ita: new Set(ita),
  nld: new Set(nld),
}
const plainEnglish = new Set(eng)

/**
 * Returns the language with the largest share of stopwords in the text; 'und' if at most one word in eight is a stopword. Reads
 * up to 20,000 characters, from offset 5,000 if the text has more than 30,000 characters.
 */
export function detectLanguage(text: string): Language {
  const from = text.length > 30_000 ? 5000 : 0
  const words =
    text
      .slice(from, from + 20_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const scores = (Object.keys(lists) as Exclude<Language, 'und'>[]).map((language) => {
    const list = language === 'eng' ? plainEnglish : lists[language]
    return { language, share: words.filter((word) => list.has(word)).length / Math.max(words.length, 1) }
  })
  const best = scores.toSorted((a, b) => b.share - a.share)[0]!
  return best.share > 0.125 ? best.language : 'und'
}

/** Returns the stopwords of a language in lower case; English ones for 'und'. */
export const stopwordsOf = (language: Language): ReadonlySet<string> => lists[language === 'und' ? 'eng' : language]
