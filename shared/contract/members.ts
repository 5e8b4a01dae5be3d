import { z } from 'zod'
import { projectRole } from './roles.ts'
import { rowVersion, seenVersion } from './versions.ts'

export const member = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string().nullable().describe('for owners only'),
  avatar_url: z.string().nullable(),
  role: projectRole,
  added_at: z.string(),
  version: rowVersion,
  last_seen_on: z.string().nullable().describe('the day of the last visit'),
})
export type Member = z.infer<typeof member>

export const memberPatch = z.object({ role: projectRole, version: seenVersion.optional() })
export const projectTransfer = z.object({ user_id: z.string() })

export const NEEDS_OWNER = 'A project needs at least one owner.'
export const DISABLED_MEMBER = 'The account of this member is disabled. Choose another member.'
export const HAND_OVER_FIRST = 'Make someone else owner before you leave.'
