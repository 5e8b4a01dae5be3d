import { z } from 'zod'

/*
 * https://developers.openalex.org. Unknown fields are ignored, and every known field may be missing: the service adds and
 * removes fields every few months, and `select` limits them.
 */

const source = z.object({
  id: z.string().nullish(),
  display_name: z.string().nullish(),
  issn_l: z.string().nullish(),
  type: z.string().nullish(),
  issn: z.array(z.string()).nullish().catch(null),
  host_organization_name: z.string().nullish().catch(null),
})

const location = z.object({
  is_oa: z.boolean().nullish(),
  landing_page_url: z.string().nullish(),
  pdf_url: z.string().nullish(),
  source: source.nullish(),
})

/** A work as OpenAlex returns it. */
export const workWire = z.object({
  id: z.string(),
  ids: z.object({ pmid: z.string().nullish(), pmcid: z.string().nullish() }).nullish().catch(null),
  biblio: z
    .object({
      volume: z.string().nullish(),
      issue: z.string().nullish(),
      first_page: z.string().nullish(),
      last_page: z.string().nullish(),
    })
    .nullish()
    .catch(null),
  doi: z.string().nullish(),
  title: z.string().nullish(),
  display_name: z.string().nullish(),
  publication_date: z.string().nullish(),
  publication_year: z.number().nullish(),
  language: z.string().nullish(),
  type: z.string().nullish(),
  is_retracted: z.boolean().nullish(),
  is_paratext: z.boolean().nullish(),
  cited_by_count: z.number().nullish(),
  relevance_score: z.number().nullish(),
  authorships: z
    .array(
      z.object({
        author: z.object({ display_name: z.string().nullish() }).nullish(),
        raw_author_name: z.string().nullish(),
      }),
    )
    .nullish(),
  primary_location: location.nullish(),
  best_oa_location: location.nullish(),
  locations: z.array(location).nullish(),
  open_access: z.object({ is_oa: z.boolean().nullish(), oa_url: z.string().nullish() }).nullish(),
  abstract_inverted_index: z.record(z.string(), z.array(z.number())).nullish(),
})
export type WorkWire = z.output<typeof workWire>

/**
 * A page of a list of works or sources. Callers validate each entry separately, so that one malformed entry does not discard
 * the others.
 */
export const listWire = z.object({
  meta: z.object({ count: z.number().nullish(), next_cursor: z.string().nullish() }),
  results: z.array(z.unknown()),
})
