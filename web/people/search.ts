import { z } from 'zod'
import { PEOPLE_PAGE_SIZES, PEOPLE_SHOWN } from '#shared/contract/people.ts'

/** Search parameters of the list of users. */
export const peopleSearch = z.object({
  search: z.string().optional().catch(undefined),
  show: z.enum(PEOPLE_SHOWN).optional().catch(undefined),
  page: z.coerce.number().int().min(2).optional().catch(undefined),
  limit: z.coerce
    .number()
    .refine((size) => (PEOPLE_PAGE_SIZES as readonly number[]).includes(size))
    .optional()
    .catch(undefined),
  sort: z
    .string()
    .regex(/^(full_name|last_sign_in_at|created_at)\.(asc|desc)$/)
    .optional()
    .catch(undefined),
})
export type PeopleSearch = z.infer<typeof peopleSearch>
