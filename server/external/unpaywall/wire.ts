import { z } from 'zod'

/** https://unpaywall.org/data-format: the fields that Lectern reads. */
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
