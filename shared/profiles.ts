import { z } from 'zod'

export const PASSWORD_MIN_LENGTH = 6

/** Said of a picture that is none, and of one that is too large. */
export const AVATAR_NOT_AN_IMAGE = 'Please upload an image file (JPEG, PNG, etc.)'
export const AVATAR_TOO_LARGE = 'Please upload an image smaller than 2MB'

/** Said when the account stands and its profile cannot be made. */
export const PROFILE_FAILED = 'Profile creation failed'

/** Said to whoever would change a profile without saying whose. */
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
})
export type Profile = z.infer<typeof profile>

export const profilePatch = z
  .object({
    full_name: z.string().trim().max(200).nullable(),
    display_name: z.string().trim().max(200).nullable(),
    bio: z.string().trim().max(5000).nullable(),
    avatar_url: z.string().max(500).nullable().describe('null takes the picture away; a new one is uploaded'),
    email_notifications: z.boolean(),
    theme: z.enum(['light', 'dark', 'system']),
    font_size: z.enum(['small', 'medium', 'large']),
  })
  .partial()
export type ProfilePatch = z.infer<typeof profilePatch>
