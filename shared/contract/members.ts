import { z } from 'zod'
import { projectRole } from './roles.ts'

export const member = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string().nullable().describe('for owners only'),
  avatar_url: z.string().nullable(),
  role: projectRole,
  added_at: z.string(),
  last_seen_on: z.string().nullable().describe('the day of the last visit'),
})
export type Member = z.infer<typeof member>

export const memberPatch = z.object({ role: projectRole })
export const projectTransfer = z.object({ user_id: z.string() })

export const NEEDS_OWNER = 'A project needs at least one owner.'
export const HAND_OVER_FIRST = 'Make someone else owner before you leave.'
