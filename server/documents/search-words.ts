import { typedWords, wordQuery } from '#server/db/word-query.ts'
import type { SnippetPart } from '#shared/contract/documents.ts'

/** The words of a search, in the forms that the database needs. */
export interface SearchWords {
  /** For `to_tsquery`: all words must match, each as a prefix. */
  query: string
  /** `query` for each single word. */
  queries: string[]
  /** For `like`: the whole search, anywhere in title, filename, journal, DOI, keywords and authors. */
  part: string
  /** `part` for each single word; the whole search if it has no words. */
  parts: string[]
  /** The forms to find in a text for snippets: as typed, then shortened, because the index contains stems. */
  stems: string[]
}

const LONG_ENOUGH_TO_SHORTEN = 5

/** Parses a search. */
export function searchWords(search: string): SearchWords {
  const words = typedWords(search)
  const shortened = [1, 2, 3].flatMap((letters) =>
    words.filter((word) => word.length >= LONG_ENOUGH_TO_SHORTEN).map((word) => word.slice(0, -letters)),
  )
  const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return {
    query: wordQuery(words),
    queries: words.map((word) => wordQuery([word])),
    part,
    parts: words.length > 0 ? words.map((word) => `%${word}%`) : [part],
    stems: [...words, ...shortened],
  }
}

/** Splits a snippet from the database (matches between U+0001 and U+0002) into parts. */
export function snippetParts(marked: string): SnippetPart[] {
  const [before = '', ...rest] = marked.split('\u0001')
  const parts = rest.flatMap((piece) => {
    const [hit = '', after = ''] = piece.split('\u0002')
    return [
      { text: hit, hit: true },
      { text: after, hit: false },
    ]
  })
  return [{ text: before, hit: false }, ...parts].filter((part) => part.text)
}

interface Row {
  title: string | null
  filename: string
  doi_link: string | null
  journal_name: string | null
  keywords: readonly string[]
  authors: readonly string[]
}

/**
 * Returns the first field (filename, DOI, journal, authors or keywords) that contains the whole search, with the match marked;
 * null if none does, for example because the match is in the text. The filename counts only if a title is shown instead of it.
 */
export function fieldParts(row: Row, search: string): SnippetPart[] | null {
  const small = search.toLowerCase()
  const places: [string, string | null][] = [
    ['Filename', row.title ? row.filename : null],
    ['DOI', row.doi_link],
    ['Journal', row.journal_name],
    ['Authors', row.authors.join(', ')],
    ['Keywords', row.keywords.join(', ')],
  ]
  for (const [name, text] of places) {
    const at = text?.toLowerCase().indexOf(small) ?? -1
    if (text && at >= 0)
      return [
        { text: `${name}: ${text.slice(0, at)}`, hit: false },
        { text: text.slice(at, at + small.length), hit: true },
        { text: text.slice(at + small.length), hit: false },
      ].filter((part) => part.text)
  }
  return null
}
