import type { z } from 'zod'
import type { Reference } from '#shared/contract/references.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { createService, PERSON_WAITS_MS, readJson } from '../service.ts'
import { readBook } from './read-book.ts'
import { bookData, bookDetails, booksWire } from './wire.ts'

const NAME = 'Open Library'
const service = createService(NAME, 5)

/**
 * Returns the book with this ISBN (13 digits), or null. Throws 'outside_failed', 'outside_slow' or 'too_many' when Open Library
 * cannot be read.
 */
export async function findBook(isbn: string, signal: AbortSignal): Promise<Reference | null> {
  const data = await ask(isbn, 'data', bookData, signal)
  if (!data) return null
  const stored = await ask(isbn, 'details', bookDetails, signal)
  const { authors, ...details } = stored?.details ?? {}
  return readBook(isbn, { ...details, ...data, authors: data.authors ?? authors })
}

async function ask<S extends z.ZodType>(
  isbn: string,
  jscmd: 'data' | 'details',
  schema: S,
  signal: AbortSignal,
): Promise<z.output<S> | null> {
  const key = `ISBN:${isbn}`
  const url = new URL(`${env.OPENLIBRARY_URL.replace(/\/+$/, '')}/api/books`)
  for (const [name, value] of Object.entries({ bibkeys: key, jscmd, format: 'json' })) url.searchParams.set(name, value)
  const response = await service.call(url, { signal, withinMs: PERSON_WAITS_MS })
  if (!response.ok) {
    await response.body?.cancel()
    throw new AppError('outside_failed', `${NAME} rejected the request.`, {
      cause: new Error(`${NAME} answered ${response.status}`),
      permanent: true,
    })
  }
  const book = (await readJson(NAME, response, booksWire))[key]
  return book === undefined ? null : (schema.safeParse(book).data ?? null)
}
