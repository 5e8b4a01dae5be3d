import { z } from 'zod'

/** Rows on a page of the users list. */
export const PEOPLE_PAGE_SIZE = 50
export const PEOPLE_PAGE_SIZES = [20, 50, 100, 200] as const

/** Error for a disabled account: at a sign-in with the correct password, and for every call of the account. */
export const ACCOUNT_DISABLED = 'This account has been disabled. Ask an administrator of this site.'
/** Error when a change would leave no administrator. */
export const LAST_ADMIN = 'The last admin cannot lose the admin right.'

/** An account as administrators see it. */
export const person = z.object({
  id: z.string(),
  email: z.string(),
  full_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  is_admin: z.boolean(),
  disabled_at: z.string().nullable().describe('when the account was disabled; null if it is enabled'),
  last_sign_in_at: z.string().nullable(),
  created_at: z.string(),
})
export type Person = z.infer<typeof person>

/** A link with which a user chooses a new password once. */
export const passwordLink = z.object({
  url: z.string().describe('for the user only: every reader of the link can set the password'),
  expires_at: z.string(),
})
export type PasswordLink = z.infer<typeof passwordLink>

/** Filters of the users list. */
export const PEOPLE_SHOWN = ['admins', 'users', 'disabled'] as const
export type PeopleShown = (typeof PEOPLE_SHOWN)[number]

export const peopleQuery = z.object({
  search: z.string().trim().max(200).optional().describe('part of the e-mail address or of the name'),
  show: z.enum(PEOPLE_SHOWN).optional().describe('default: all'),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(PEOPLE_PAGE_SIZE),
  order_by: z
    .string()
    .regex(/^(full_name|email|last_sign_in_at|created_at)(\.(asc|desc))?$/)
    .default('full_name.asc'),
})
export type PeopleQuery = z.infer<typeof peopleQuery>

/** Body of PATCH /api/admin/people/{id}: exactly one change, so that a call cannot succeed in part. */
export const personPatch = z
  .object({ is_admin: z.boolean(), disabled: z.boolean() })
  .partial()
  .refine((patch) => Object.keys(patch).length === 1, 'Send exactly one field: is_admin or disabled')
export type PersonPatch = z.infer<typeof personPatch>
