import type { TextWarning } from '../contract/documents.ts'

/**
 * Minimum number of characters, without spaces, of a page with text. A page with fewer characters is an image with at most a
 * stamp or a page number. Papers have 2,000 to 5,500 characters a page; OCR of a damaged file that draws only fragments
 * returned 20.
 */
const SCAN_CHARACTERS = 80
const LATIN_SHARE = 0.7
const STOPWORD_SHARE = 0.08
/**
 * Minimum share of function words on a single page. It is lower than STOPWORD_SHARE, because a list of references or a table
 * has few function words.
 */
const PAGE_STOPWORD_SHARE = 0.03
/** Minimum number of words from which the language of a text is determined. */
const ENOUGH_WORDS = 100

/**
 * The most frequent function words of languages in Latin script. They are 20 to 50 % of the words of a text in most of these
 * languages, and about 10 % in highly inflected languages.
 */
const LANGUAGES = Object.values({
  english: 'the of and to in a is that for with as was were are by on this we from it be or an at not which these have',
  german:
    'der die das und in zu den mit von für auf ist im dem nicht ein eine als auch es an werden aus er hat dass sie bei sind wird',
  french:
    'de la le et les des en un une du dans que est pour qui par sur au avec ce il sont plus ne pas se nous ou a ont',
  spanish: 'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus entre fue son',
  italian: 'di e il la che in un per del della non una i le con si da dei nel alla sono al gli come è più lo ma delle',
  portuguese: 'de a o que e do da em um para com não uma os no se na por mais as dos como mas ao das foi são entre',
  dutch: 'de het een en van in is dat op te zijn met voor niet aan er om ook als door bij uit maar worden werd deze',
  swedish: 'och i att det som en på är av för med till den har de inte om ett var från vi kan eller men',
  danish: 'og i at det er en af til på for med den som ikke de der et har var fra om kan eller vi men å av ikkje',
  finnish: 'ja on ei että se oli joka sekä tai kun ovat myös mutta kuin voidaan mukaan ole olivat jotka tämän',
  polish: 'i w na z do się że nie jest o to a po od dla przez oraz za są jak być lub ich tym ze był',
  czech: 'a v se na je že o s z do i to k ve pro za by od při jsou jako nebo po byl tak bylo jeho',
  hungarian: 'a az és hogy nem is egy ez volt meg de mint csak vagy el már ha ezt azt még van volna lehet között',
  turkish: 've bir bu ile için de da olarak olan daha en çok gibi ise kadar sonra her göre ya veya arasında',
  romanian: 'de și în a la cu pe un o care nu se este din mai că au pentru fi sau ca al prin ale sunt',
  catalan: 'de la i el que en a un els les per una del amb es no al dels com són o més les va ha',
  indonesian: 'yang dan di dengan untuk pada dari ini dalam adalah tidak itu oleh atau ke sebagai akan dapat bahwa',
  vietnamese: 'và của là các có được cho trong một những với không này để đã về từ khi theo như',
  croatian: 'i u je na se da za od su s a koji o kao ne iz do ili te što po bi nije biti koje',
})

/** The indexes in LANGUAGES of the languages that have a function word, by word. */
const STOPWORDS = new Map<string, number[]>()
LANGUAGES.forEach((words, language) => {
  for (const word of new Set(words.split(' '))) STOPWORDS.set(word, [...(STOPWORDS.get(word) ?? []), language])
})

const isAlmostEmpty = (text: string) => text.replace(/\s+/g, '').length < SCAN_CHARACTERS

/**
 * Judges the text layer of a document from all its pages (index 0 = page 1). Returns 'scan' if most pages have almost no
 * text, 'garbled' if Latin letters form no known language (the effect of a wrong font map), otherwise null. Text in other
 * scripts is never 'garbled'.
 */
export function judgeTextLayer(texts: readonly string[]): TextWarning | null {
  const empty = texts.filter(isAlmostEmpty).length
  if (texts.length === 0 || empty > texts.length / 2) return 'scan'
  const text = sample(texts)
  const share = functionWordShare(text)
  return share !== null && share < STOPWORD_SHARE ? 'garbled' : null
}

/**
 * Returns the share of function words among the words of a text, for the language with the highest share. Returns null if the
 * language cannot be determined, because the text has too few words or is not in Latin script.
 */
export function functionWordShare(text: string): number | null {
  const characters = text.replace(/\s+/g, '').length
  const latin = (text.match(/\p{Script=Latin}/gu) ?? []).length
  if (latin < LATIN_SHARE * characters) return null
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (words.length < ENOUGH_WORDS) return null
  const found = LANGUAGES.map(() => 0)
  for (const word of words) for (const language of STOPWORDS.get(word) ?? []) found[language]!++
  return Math.max(...found) / words.length
}

/**
 * Returns the pages (counted from 1) that OCR should read because their text layer is not usable: pages with almost no text and
 * pages with garbled text. If the text of the whole document is garbled, returns all pages. `texts[0]` is the text of page 1.
 */
export function pagesForOcr(texts: readonly string[]): number[] {
  const isGarbled = judgeTextLayer(texts) === 'garbled'
  return texts.flatMap((text, index) =>
    isGarbled || isAlmostEmpty(text) || (functionWordShare(text) ?? 1) < PAGE_STOPWORD_SHARE ? [index + 1] : [],
  )
}

/** Returns whether the pages have hardly any text: fewer than 80 characters a page on average, not counting spaces. */
export function isSparse(texts: readonly string[]): boolean {
  const characters = texts.reduce((sum, text) => sum + text.replace(/\s+/g, '').length, 0)
  return characters < SCAN_CHARACTERS * texts.length
}

/**
 * Returns a sample of about 50,000 characters from evenly spaced pages, so that the time does not grow with the number of
 * pages.
 */
function sample(texts: readonly string[]): string {
  const step = Math.max(1, Math.ceil(texts.length / 20))
  return texts
    .filter((_, index) => index % step === 0)
    .map((text) => text.slice(0, 2500))
    .join('\n')
}
