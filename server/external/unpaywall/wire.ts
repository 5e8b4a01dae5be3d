import { z } from 'zod'

/** A free copy of a paper, with the fields that Lectern reads: https://unpaywall.org/data-format. */
const location = z.object({
  url_for_pdf: z.string().nullish(),
  url_for_landing_page: z.string().nullish(),
})

export const unpaywallPaper = z.object({
  doi: z.string(),
  is_oa: z.boolean(),
  best_oa_location: location.nullish(),
  oa_locations: z.array(location).nullish(),
})
