/** The id of the citation style that is used if neither the project nor the user has chosen one. */
export const DEFAULT_STYLE = 'apa'

/**
 * Ids of the styles at the beginning of the list, in this order. An id without a style is skipped. The styles that
 * admins added follow, and then all other styles, sorted by title.
 */
export const FIRST_STYLES = [
  'apa',
  'american-medical-association',
  'vancouver',
  'ieee',
  'nature',
  'science',
  'harvard-cite-them-right',
  'chicago-author-date',
  'chicago-note-bibliography',
  'modern-language-association',
  'elsevier-harvard',
  'springer-basic-author-date',
  'bmj',
  'the-lancet',
  'plos',
  'cell',
  'din-1505-2',
  'gost-r-7-0-5-2008',
  'acm-sig-proceedings',
] as const
