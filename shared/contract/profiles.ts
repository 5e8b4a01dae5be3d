import { z } from 'zod'
import { rowVersion, seenVersion } from './versions.ts'

export const PASSWORD_MIN_LENGTH = 6

/** Errors for a file that is not an image, and for an image that is too large. */
export const AVATAR_NOT_AN_IMAGE = 'Please upload an image file (JPEG, PNG, etc.)'
export const AVATAR_TOO_LARGE = 'Please upload an image smaller than 2MB'

/** Error when the account exists and its profile cannot be created. */
export const PROFILE_FAILED = 'Profile creation failed'

/** Error when a profile update lacks the user ID. */
export const NO_USER_ID = 'No user ID'

export const profile = z.object({
  id: z.string(),
  email: z.string(),
  full_name: z.string().nullable(),
  display_name: z.string().nullable(),
  bio: z.string().nullable(),
  avatar_url: z.string().nullable(),
  is_admin: z.boolean(),
  email_notifications: z.boolean(),
  theme: z.enum(['light', 'dark', 'system']),
  font_size: z.enum(['small', 'medium', 'large']),
  created_at: z.string(),
  updated_at: z.string(),
  version: rowVersion,
})
export type Profile = z.infer<typeof profile>

/** A text of the profile. An empty text is stored as null. */
const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullable()
    .transform((given) => given || null)

export const profilePatch = z
  .object({
    full_name: text(200),
    display_name: text(200),
    bio: text(5000),
    avatar_url: z.string().max(500).nullable().describe('null removes the picture; a new one is uploaded separately'),
    email_notifications: z.boolean(),
    theme: z.enum(['light', 'dark', 'system']),
    font_size: z.enum(['small', 'medium', 'large']),
    version: seenVersion,
  })
  .partial()
export type ProfilePatch = z.infer<typeof profilePatch>
