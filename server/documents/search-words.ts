import { typedWords, wordQuery } from '#server/lib/word-query.ts'
import type { SnippetPart } from '#shared/documents.ts'

/** What somebody typed into the search box, as the database is asked for it. */
export interface SearchWords {
  /** For `to_tsquery`: every word must be there, each as the beginning of a longer one. */
  query: string
  /** For `like`: all of it, anywhere in title, filename, journal, DOI and keywords. */
  part: string
  /** The same for each word of it. */
  parts: string[]
  /** Where to look for the words in a text: as typed, then shortened, because the index knows words by their stems. */
  stems: string[]
}

const LONG_ENOUGH_TO_SHORTEN = 5

/** Reads a search. */
export function searchWords(search: string): SearchWords {
  const words = typedWords(search)
  const shortened = [1, 2, 3].flatMap((letters) =>
    words.filter((word) => word.length >= LONG_ENOUGH_TO_SHORTEN).map((word) => word.slice(0, -letters)),
  )
  const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return {
    query: wordQuery(words),
    part,
    parts: words.length > 0 ? words.map((word) => `%${word}%`) : [part],
    stems: [...words, ...shortened],
  }
}

/** A snippet from the database (hits between U+0001 and U+0002) in parts. */
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
}

/** For a hit outside the text: the field it is in, when the row does not show that field whole; null when none holds it. */
export function fieldParts(row: Row, search: string): SnippetPart[] | null {
  const small = search.toLowerCase()
  const places: [string, string | null][] = [
    ['Filename', row.title ? row.filename : null],
    ['DOI', row.doi_link],
    ['Journal', row.journal_name],
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
