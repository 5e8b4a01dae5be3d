import { z } from 'zod'

const row = { id: z.uuid(), created_at: z.string(), read_at: z.string().nullable() }

/** A message of the server to one user. `kind` names the message, and `data` has its values. */
export const notice = z.discriminatedUnion('kind', [
  z.object({
    ...row,
    kind: z.literal('project_renamed').describe('an update renamed a project because its address is taken'),
    data: z.object({ project_id: z.uuid(), from: z.string(), to: z.string() }),
  }),
  z.object({
    ...row,
    kind: z.literal('owner_changed').describe('a member became the owner of a project'),
    data: z.object({ project_id: z.uuid(), project: z.string(), owner: z.string() }),
  }),
  z.object({
    ...row,
    kind: z.literal('zotero_stopped').describe('the synchronization of a project with a library of Zotero has stopped'),
    data: z.object({ project_id: z.uuid(), project: z.string(), library: z.string(), reason: z.string() }),
  }),
])
export type Notice = z.infer<typeof notice>

/** Query parameters of GET /api/notices. */
export const noticesQuery = z.object({ unread: z.enum(['true', 'false']).optional() })

/** Body of POST /api/notices/read. */
export const noticesRead = z.object({ ids: z.array(z.uuid()).min(1).max(100) })
