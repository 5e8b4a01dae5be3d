import { z } from 'zod'

const words = z.string().nullish().catch(null)
const number = z.number().nullish().catch(null)
const yes = z.boolean().nullish().catch(null)

/**
 * A source (a journal or a repository, for example) as OpenAlex returns it: https://developers.openalex.org. Unknown fields are
 * ignored. A field that is missing or has another type is null; only the id is required.
 */
export const sourceWire = z.object({
  id: z.string().min(1),
  display_name: words,
  type: words,
  issn_l: words,
  publisher: words,
  host_organization_name: words,
  // A URL in current responses, which is read as null. Earlier responses contained the organisation as an object.
  host_organization: z.object({ display_name: words }).nullish().catch(null),
  works_count: number,
  cited_by_count: number,
  summary_stats: z.object({ h_index: number, i10_index: number }).nullish().catch(null),
  is_oa: yes,
  is_in_doaj: yes,
  homepage_url: words,
  works_api_url: words,
})
export type SourceWire = z.output<typeof sourceWire>
