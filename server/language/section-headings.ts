/**
 * The purpose of a section. `front` is everything around the title, `back` is everything after the conclusion except the
 * references, such as the acknowledgments.
 */
export type SectionRole =
  | 'front'
  | 'abstract'
  | 'keywords'
  | 'introduction'
  | 'related'
  | 'methods'
  | 'results'
  | 'discussion'
  | 'limitations'
  | 'recommendations'
  | 'conclusion'
  | 'body'
  | 'back'
  | 'references'

/**
 * A parsed heading. `role` is null for a heading of unknown meaning. `depth` is the number of levels of the heading's number: 2
 * for '5.4 Results', 0 without a number.
 */
export interface Heading {
  role: SectionRole | null
  depth: number
}

/**
 * Patterns of headings in lower case, by role; the first match counts. A pattern must match a whole heading, or any part of a
 * numbered heading.
 */
const ROLES: readonly (readonly [SectionRole, string])[] = [
  [
    'references',
    String.raw`references(?: cited)?|bibliography|literature(?: cited)?|works cited|literatur(?:verzeichnis)?|références|bibliographie|referencias|referências|bibliografia|bibliografía|riferimenti`,
  ],
  [
    'back',
    String.raw`acknowledge?ments?|acknowledge?ments? .{0,60}|funding(?: .{0,40})?|authors?[’']? contributions?|(?:declaration of )?(?:conflicts?|competing|declaration)s? (?:of )?interests?|declarations?|ethic(?:s|al)(?: .{0,40})?|(?:data|code|materials?)(?: (?:and|&) (?:data|code|materials?))? availability(?: statement)?|availability of .{0,40}|support(?:ing|ed) information|supplementary .{0,40}|append(?:ix|ices).{0,60}|(?:list of )?abbreviations|affiliations|additional information(?: and declarations)?|publisher[’']?s note|about the authors?|author (?:information|details|biograph).{0,20}|orcid.{0,10}|open access|danksagung|remerciements|agradecimientos`,
  ],
  [
    'keywords',
    String.raw`key ?words(?: and phrases)?|index terms|schlüsselwörter|mots[- ]clés|palabras clave|palavras[- ]chave|parole chiave|trefwoorden`,
  ],
  [
    'abstract',
    String.raw`(?:structured )?abstract|zusammenfassung|kurzfassung|résumé|resumen|resumo|riassunto|samenvatting`,
  ],
  [
    'limitations',
    String.raw`(?:strengths and |study )?limitations(?: .{0,50})?|threats to validity|.{0,30}and limitations`,
  ],
  [
    'related',
    String.raw`related work|(?:literature|previous|prior) (?:review|work|research)|state of the art|theor(?:y|etical (?:background|framework))|hypothes[ei]s(?: development)?|research questions?(?: .{0,30})?|stand der technik`,
  ],
  [
    'recommendations',
    String.raw`(?:.{0,30})?recommendations?(?: .{0,40})?|(?:practical |clinical |managerial |policy )?implications?(?: .{0,60})?|guidelines(?: .{0,30})?|empfehlungen|recommandations|recomendaciones`,
  ],
  [
    'conclusion',
    String.raw`(?:discussion and |summary and )?conclusions?(?: (?:and|&|\/) .{0,50})?|concluding remarks|conclusions?\/significance|summary(?: and outlook)?|outlook|future work|lessons learned|schlussfolgerung(?:en)?|fazit(?: .{0,30})?|conclusiones|conclusões|conclusão|conclusión|conclusioni|conclusie`,
  ],
  [
    'results',
    String.raw`(?:main |key |experimental |study |analysis and |data analysis and )?(?:results|findings)(?: (?:and|&) .{0,40})?|(?:empirical )?evaluation|exploratory findings|(?:our )?experiences?|ergebnisse(?: .{0,30})?|résultats(?: .{0,30})?|resultados(?: .{0,30})?|risultati(?: .{0,30})?|resultaten`,
  ],
  [
    'discussion',
    String.raw`(?:general )?discussion(?: (?:and|&|of) .{0,40})?|interpretation|summary interpretation|diskussion|discusión|discussão|discussione`,
  ],
  [
    'methods',
    String.raw`(?:materials? (?:and|&) )?methods?(?: (?:and|&) .{0,30})?|patients and methods|subjects and methods|methodology|research method(?:ology)?|(?:study|experiment(?:al)?|research) (?:design|set-?up|setting|method.{0,10}|procedure)|data(?:set| collection| analysis)?s?|participants|procedure|.{0,30}(?:demographics|response bias|data cleaning|validity analysis|sample characteristics|descriptive statistics|baseline approaches|baselines|metrics|pilot(?: study)?|instrument(?:s| design)?|sampling.{0,30})|statistical analysis|(?:our |proposed )?approach|methodik|methoden|méthodes?|metodología|métodos|metodologia|metodi`,
  ],
  [
    'introduction',
    String.raw`introduction(?: .{0,40})?|background(?: .{0,40})?|motivation|statement of need|context|author summary|einleitung|einführung|introducción|introdução|introduzione|inleiding`,
  ],
]
const WHOLE = ROLES.map(([role, words]) => [role, new RegExp(`^(?:${words})$`, 'u')] as const)
const PART = ROLES.map(([role, words]) => [role, new RegExp(String.raw`\b(?:${words})(?!\p{L})`, 'u')] as const)

const NUMBER = /^(?:(\d{1,2}(?:\.\d{1,2}){0,3})\.?|[IVX]{1,5}\.|[A-H]\.)\s+(?=\p{Lu})/u

/**
 * Parses a paragraph or line as a section heading. Returns null for any other text. A heading of unknown meaning is recognized
 * only if it has a number; its role is null.
 */
export function readHeading(paragraph: string): Heading | null {
  if (paragraph.length > 100 || /[,;]$|\t/.test(paragraph)) return null
  const number = NUMBER.exec(paragraph)
  const depth = number ? (number[1] ? number[1].split('.').length : 1) : 0
  const words = closeUp(paragraph.slice(number?.[0].length ?? 0)).replace(/\s*[:.]$/, '')
  if (words === '' || words.split(' ').length > 12 || !/^\p{Lu}/u.test(words)) return null
  const lower = words.toLowerCase()
  const whole = WHOLE.find(([, pattern]) => pattern.test(lower))
  if (whole) return { role: whole[0], depth }
  // List items and table rows can begin with a number too; a heading has words and no final stop.
  if (!number || !/\p{Ll}|\p{Lu}{3}/u.test(words) || /[.!?]$/.test(paragraph) || /\d[.\d]*(?:\s|%|$)/.test(words))
    return null
  return { role: PART.find(([, pattern]) => pattern.test(lower))?.[0] ?? null, depth }
}

/** Removes the spaces from a letter-spaced text: 'A B S T R A C T' -> 'ABSTRACT'. */
function closeUp(text: string): string {
  return /^(?:\p{L} ){3,40}\p{L}$/u.test(text) ? text.replaceAll(' ', '') : text
}

/** Matches a line in capitals. Some journals print their headings in this way. */
const CAPITALS = /^(?=.*\p{Lu}{4})\p{Lu}[\p{Lu} &:/-]{4,60}$/u
/** Matches a heading before text in the same line: 'Abstract Context As a novel virus …'. */
const RUN_ON = /^(Abstract|ABSTRACT|Summary|SUMMARY)(?=[\s:.—–-]*\p{Lu})/u

const isHeading = (line: string) => readHeading(line) !== null || CAPITALS.test(line)

/** A part of a chunk under one heading. `start` and `end` (exclusive) are offsets in the chunk's content. */
export interface Section {
  heading: string
  start: number
  end: number
}

/**
 * Divides each chunk of a paper at its headings. `contents` are the texts of the chunks in the order of the paper. Returns, for
 * each chunk, its parts with their headings; the heading is '' before the first heading of the paper. A heading applies until
 * the next one, also in the following chunks. The word 'Abstract' or 'Summary' at the beginning of a line is a heading even if
 * text follows in the same line ("Abstract Context As a novel virus …").
 */
export function sectionsOf(contents: readonly string[]): Section[][] {
  let running = ''
  return contents.map((content) => {
    const sections: Section[] = [{ heading: running, start: 0, end: content.length }]
    let at = 0
    for (const line of content.split('\n')) {
      const heading = isHeading(line.trim()) ? line.trim() : RUN_ON.exec(line)?.[1]
      if (heading) {
        sections.at(-1)!.end = at
        sections.push({ heading, start: at, end: content.length })
        running = heading
      }
      at += line.length + 1
    }
    return sections.filter(({ start, end }) => end > start)
  })
}
