import { typedWords, wordQuery } from '#server/db/word-query.ts'
import type { SnippetPart } from '#shared/contract/documents.ts'

/** The words of a search in the forms that database queries need. */
export interface SearchWords {
  /** A query for `to_tsquery` in which all words must match, each as a prefix. */
  query: string
  /** A query for `to_tsquery` for each single word. */
  queries: string[]
  /** A pattern for `like` that matches the whole search text in a title, filename, journal, DOI, keyword or author. */
  part: string
  /** A pattern for `like` for each single word. If the search has no words, the list contains only `part`. */
  parts: string[]
  /**
   * Texts to find in a document's text for a snippet: the words as typed, then shortened by one to three letters, because the
   * index matches word stems.
   */
  stems: string[]
}

const LONG_ENOUGH_TO_SHORTEN = 5

/** Splits the text of a search into words and returns their forms for queries. */
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

/** Splits a snippet from the database into parts. A match is between U+0001 and U+0002, and becomes a part with `hit: true`. */
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
 * Returns the first field (filename, DOI, journal, authors or keywords) that contains the whole search, as its name and value
 * in parts: the match is a part with `hit: true`. The filename is used only if the document has a title, because otherwise
 * lists show the filename itself. Returns null without a match.
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
