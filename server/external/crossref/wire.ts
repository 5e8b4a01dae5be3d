import { z } from 'zod'

/* https://api.crossref.org/swagger-ui. Every field may be missing: members deposit incomplete records. */

const day = z.object({ 'date-parts': z.array(z.array(z.number().nullable())).nullish() })
const people = z
  .array(
    z.object({
      given: z.string().nullish(),
      family: z.string().nullish(),
      suffix: z.string().nullish(),
      name: z.string().nullish(),
    }),
  )
  .nullish()
const texts = z.array(z.string()).nullish()
/**
 * Makes a field optional and reads a value of another type as null, so that one malformed field does not discard the whole
 * work.
 */
const lenient = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

/** The fields of a Crossref work that Lectern reads. */
export const crossrefWork = z.object({
  DOI: z.string(),
  type: lenient(z.string()),
  subtype: lenient(z.string()),
  title: texts,
  subtitle: texts,
  author: people,
  editor: lenient(people),
  translator: lenient(people),
  'container-title': texts,
  'short-container-title': lenient(texts),
  volume: lenient(z.string()),
  issue: lenient(z.string()),
  page: lenient(z.string()),
  'article-number': lenient(z.string()),
  'edition-number': lenient(z.string()),
  publisher: lenient(z.string()),
  'publisher-location': lenient(z.string()),
  institution: lenient(z.array(z.object({ name: z.string().nullish() }))),
  event: lenient(z.object({ name: z.string().nullish(), location: z.string().nullish() })),
  ISSN: lenient(texts),
  ISBN: lenient(texts),
  language: lenient(z.string()),
  'published-online': day.nullish(),
  'published-print': day.nullish(),
  issued: day.nullish(),
  abstract: z.string().nullish(),
  /** Notices about this work. Retraction notices come from publishers and from Retraction Watch. */
  'updated-by': z.array(z.object({ type: z.string().nullish() })).nullish(),
})
export type CrossrefWire = z.output<typeof crossrefWork>

export const oneWork = z.object({ status: z.literal('ok'), message: crossrefWork })

/**
 * Response of a search for works. Callers validate each item separately, so that one malformed item does not discard the
 * others.
 */
export const workList = z.object({ status: z.literal('ok'), message: z.object({ items: z.array(z.unknown()) }) })
