import type { Reference } from '#shared/contract/references.ts'

export type CslType = Reference['type']

/** The names of one CSL type in each format. The first name is written; all names are read. */
interface TypeNames {
  bibtex?: string[]
  /** The name in BibLaTeX, if it is not the first of `bibtex`. */
  biblatex?: string
  ris?: string[]
  endnote?: [name: string, number: number][]
  nbib?: string[]
}

/** The names of each CSL type. If several types have the same name in a format, a reader uses the type that is listed first. */
const TYPES: [CslType, TypeNames][] = [
  [
    'article-journal',
    {
      bibtex: ['article', 'periodical', 'suppperiodical'],
      ris: ['JOUR', 'JFULL', 'EJOUR', 'ABST', 'INPR'],
      endnote: [
        ['Journal Article', 17],
        ['Electronic Article', 43],
      ],
      nbib: ['Journal Article'],
    },
  ],
  ['article-magazine', { bibtex: ['article'], ris: ['MGZN'], endnote: [['Magazine Article', 19]] }],
  [
    'article-newspaper',
    { bibtex: ['article'], ris: ['NEWS'], endnote: [['Newspaper Article', 23]], nbib: ['Newspaper Article'] },
  ],
  [
    'book',
    {
      bibtex: ['book', 'mvbook', 'collection', 'mvcollection', 'proceedings', 'mvproceedings', 'reference', 'booklet'],
      ris: ['BOOK', 'EBOOK', 'EDBOOK', 'SER'],
      endnote: [
        ['Book', 6],
        ['Edited Book', 28],
        ['Conference Proceedings', 10],
        ['Electronic Book', 44],
      ],
      nbib: ['Book'],
    },
  ],
  [
    'chapter',
    {
      bibtex: ['incollection', 'inbook', 'bookinbook', 'suppbook', 'suppcollection'],
      ris: ['CHAP', 'ECHAP'],
      endnote: [
        ['Book Section', 5],
        ['Electronic Book Section', 60],
      ],
      nbib: ['Book Chapter'],
    },
  ],
  ['entry-encyclopedia', { bibtex: ['inreference'], ris: ['ENCYC'], endnote: [['Encyclopedia', 53]] }],
  ['entry-dictionary', { bibtex: ['inreference'], ris: ['DICT'], endnote: [['Dictionary', 52]] }],
  [
    'paper-conference',
    { bibtex: ['inproceedings', 'conference'], ris: ['CPAPER', 'CONF'], endnote: [['Conference Paper', 47]] },
  ],
  [
    'thesis',
    {
      bibtex: ['phdthesis', 'mastersthesis', 'thesis'],
      biblatex: 'thesis',
      ris: ['THES'],
      endnote: [['Thesis', 32]],
      nbib: ['Academic Dissertation'],
    },
  ],
  [
    'report',
    {
      bibtex: ['techreport', 'report', 'manual'],
      biblatex: 'report',
      ris: ['RPRT', 'GOVDOC'],
      endnote: [
        ['Report', 27],
        ['Government Document', 46],
      ],
      nbib: ['Technical Report'],
    },
  ],
  ['standard', { bibtex: ['standard'], ris: ['STAND'], endnote: [['Standard', 58]] }],
  [
    'article',
    {
      bibtex: ['unpublished'],
      ris: ['UNPB', 'MANSCPT'],
      endnote: [
        ['Unpublished Work', 34],
        ['Manuscript', 36],
      ],
      nbib: ['Preprint'],
    },
  ],
  ['dataset', { bibtex: ['dataset'], ris: ['DATA'], endnote: [['Dataset', 59]], nbib: ['Dataset'] }],
  [
    'software',
    {
      bibtex: ['software', 'softwareversion', 'softwaremodule', 'codefragment'],
      ris: ['COMP'],
      endnote: [['Computer Program', 9]],
    },
  ],
  ['patent', { bibtex: ['patent'], ris: ['PAT'], endnote: [['Patent', 25]] }],
  ['webpage', { bibtex: ['online', 'www', 'electronic'], ris: ['ELEC', 'WEB'], endnote: [['Web Page', 12]] }],
  ['post-weblog', { bibtex: ['online'], ris: ['BLOG'], endnote: [['Blog', 56]] }],
  ['legal_case', { bibtex: ['jurisdiction'], ris: ['CASE'], endnote: [['Case', 7]] }],
  ['legislation', { bibtex: ['legislation'], ris: ['STAT'], endnote: [['Statute', 31]] }],
  ['bill', { bibtex: ['legislation'], ris: ['BILL'], endnote: [['Bill', 4]] }],
  ['hearing', { bibtex: ['jurisdiction'], ris: ['HEAR'], endnote: [['Hearing', 14]] }],
  [
    'motion_picture',
    {
      bibtex: ['movie', 'video'],
      ris: ['MPCT', 'VIDEO'],
      endnote: [
        ['Film or Broadcast', 21],
        ['Audiovisual Material', 3],
      ],
    },
  ],
  ['song', { bibtex: ['audio', 'music'], ris: ['SOUND'], endnote: [['Music', 61]] }],
  ['speech', { bibtex: ['misc'], ris: ['SLIDE'], endnote: [['Audiovisual Material', 3]] }],
  ['map', { bibtex: ['misc'], ris: ['MAP'], endnote: [['Map', 20]] }],
  ['graphic', { bibtex: ['misc'], ris: ['ART'], endnote: [['Artwork', 2]] }],
  ['document', { bibtex: ['misc'], ris: ['GEN'], endnote: [['Generic', 13]] }],
  // Types that are written under the name of another type and never read.
  ['manuscript', { bibtex: ['unpublished'], ris: ['MANSCPT'], endnote: [['Manuscript', 36]] }],
  ['review', { bibtex: ['article'], ris: ['JOUR'], endnote: [['Journal Article', 17]] }],
  ['review-book', { bibtex: ['article'], ris: ['JOUR'], endnote: [['Journal Article', 17]] }],
  ['periodical', { bibtex: ['periodical'], ris: ['JFULL'], endnote: [['Journal Article', 17]] }],
  ['post', { bibtex: ['online'], ris: ['ELEC'], endnote: [['Web Page', 12]] }],
]

type Named = 'bibtex' | 'ris' | 'endnote' | 'nbib'

function readingOf(format: Named): Map<string, CslType> {
  const names = new Map<string, CslType>()
  for (const [type, row] of TYPES)
    for (const name of row[format] ?? []) {
      const key = (typeof name === 'string' ? name : name[0]).toLowerCase()
      // 'misc' is the generic type of BibTeX, although other types are also written as 'misc'.
      if (!names.has(key)) names.set(key, key === 'misc' ? 'document' : type)
    }
  return names
}

const READING: Record<Named, Map<string, CslType>> = {
  bibtex: readingOf('bibtex'),
  ris: readingOf('ris'),
  endnote: readingOf('endnote'),
  nbib: readingOf('nbib'),
}
const ROWS = new Map(TYPES)
const GENERIC = ROWS.get('document')!

/** Returns the CSL type of a type name in a format; undefined for an unknown name. */
export const readType = (format: Named, name: string) => READING[format].get(name.trim().toLowerCase())

const rowOf = (type: CslType) => ROWS.get(type) ?? GENERIC

/** Returns the type name that BibTeX uses for a CSL type. */
export const bibtexType = (type: CslType) => rowOf(type).bibtex![0]!
/** Returns the type name that BibLaTeX uses for a CSL type; the name of BibTeX if BibLaTeX has no other. */
export const biblatexType = (type: CslType) => rowOf(type).biblatex ?? bibtexType(type)
/** Returns the type name that RIS uses for a CSL type. */
export const risType = (type: CslType) => rowOf(type).ris![0]!
/** Returns the type name that EndNote XML uses for a CSL type. */
export const endnoteType = (type: CslType) => rowOf(type).endnote![0]!
/** Returns the type name that NBIB (PubMed) uses for a CSL type; 'Journal Article' if NBIB has none. */
export const nbibType = (type: CslType) => rowOf(type).nbib?.[0] ?? 'Journal Article'

/**
 * Returns true for types (book and thesis) whose number of pages RIS and EndNote store in the field that holds the page range
 * of other types.
 */
export const isPagesCounted = (type: CslType) => type === 'book' || type === 'thesis'

/**
 * Returns true for types (software and dataset) whose version RIS and EndNote store in the field that holds the edition of
 * other types.
 */
export const isVersioned = (type: CslType) => type === 'software' || type === 'dataset'

/** Returns true if the type is a book, chapter, entry of an encyclopedia or dictionary, report, thesis or manuscript. */
export const isBookLike = (type: CslType) => /^(?:book|chapter|entry-|report|thesis|manuscript)/.test(type)
