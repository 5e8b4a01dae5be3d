import { z } from 'zod'

/* https://openlibrary.org/dev/docs/api/books. Every field may be missing. */

const named = z
  .array(z.object({ name: z.string().nullish() }))
  .nullish()
  .catch(null)
const texts = z.array(z.string()).nullish().catch(null)
const text = z.string().nullish().catch(null)

/**
 * A book in the response to a request with `jscmd=data`: its title, publisher, date and other texts. The authors are those of
 * the work (the book in all its editions).
 */
export const bookData = z.object({
  title: text,
  subtitle: text,
  url: text,
  authors: named,
  by_statement: text,
  number_of_pages: z.number().nullish().catch(null),
  publishers: named,
  publish_places: named,
  publish_date: text,
})

/** A book in the response to a request with `jscmd=details`: the fields of the edition as Open Library stores it. */
export const bookDetails = z.object({
  details: z.object({
    authors: named,
    contributors: z
      .array(z.object({ name: z.string().nullish(), role: z.string().nullish() }))
      .nullish()
      .catch(null),
    edition_name: text,
    series: texts,
    languages: z
      .array(z.object({ key: z.string().nullish() }))
      .nullish()
      .catch(null),
    description: z
      .union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)])
      .nullish()
      .catch(null),
  }),
})

/** A response of Open Library: an object with a property 'ISBN:…' for each known ISBN. Its value is the book. */
export const booksWire = z.record(z.string(), z.unknown())

export type BookWire = z.output<typeof bookData> & Partial<z.output<typeof bookDetails>['details']>
