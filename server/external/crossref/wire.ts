import { z } from 'zod'

/* https://api.crossref.org/swagger-ui. Every field may be missing: members deposit what they have. */

const day = z.object({ 'date-parts': z.array(z.array(z.number().nullable())).nullish() })

/** The fields of a work that Lectern reads. */
export const crossrefWork = z.object({
  DOI: z.string(),
  title: z.array(z.string()).nullish(),
  subtitle: z.array(z.string()).nullish(),
  author: z
    .array(z.object({ given: z.string().nullish(), family: z.string().nullish(), name: z.string().nullish() }))
    .nullish(),
  'container-title': z.array(z.string()).nullish(),
  'published-online': day.nullish(),
  'published-print': day.nullish(),
  issued: day.nullish(),
  abstract: z.string().nullish(),
  /** Notices about this work. Retraction notices come from publishers and from Retraction Watch. */
  'updated-by': z.array(z.object({ type: z.string().nullish() })).nullish(),
})
export type CrossrefWire = z.output<typeof crossrefWork>

export const oneWork = z.object({ status: z.literal('ok'), message: crossrefWork })

/** Entries are validated one by one, so that one malformed entry does not discard the others. */
export const workList = z.object({ status: z.literal('ok'), message: z.object({ items: z.array(z.unknown()) }) })
