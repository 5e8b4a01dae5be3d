import { z } from 'zod'

/**
 * Administrator actions that the audit log records, with their labels. The part of the name before the dot is the kind of the
 * changed object; the log can be filtered by this kind.
 */
export const AUDIT_ACTIONS = {
  'person.admin_granted': 'Made an admin',
  'person.admin_removed': 'Made a regular user',
  'person.disabled': 'Account disabled',
  'person.enabled': 'Account enabled',
  'person.created': 'Account created',
  'person.deleted': 'Account deleted',
  'person.password_link': 'Password link created',
  'person.password_set': 'Password set',
  'person.factor_removed': 'Second factor removed',
  'journal.added': 'Journal added',
  'journal.changed': 'Journal changed',
  'journal.refreshed': 'Journal refreshed from OpenAlex',
  'journal.adopted': 'Journal adopted',
  'journal.deleted': 'Journal deleted',
  'exclusion.added': 'Journal excluded',
  'exclusion.removed': 'Exclusion removed',
  'import.started': 'Journal update started',
  'import.cancelled': 'Journal update cancelled',
  'prompt.added': 'Prompt added',
  'prompt.changed': 'Prompt changed',
  'prompt.deleted': 'Prompt deleted',
  'style.added': 'Citation style added',
  'style.deleted': 'Citation style deleted',
  'price.changed': 'Model price changed',
  'price.deleted': 'Model price removed',
  'budget.changed': 'Budget changed',
  'job.retried': 'Failed job started again',
  'index.paused': 'Index of passages paused',
  'index.continued': 'Index of passages continued',
  'vectors.paused': 'Renewal of vectors paused',
  'vectors.continued': 'Renewal of vectors continued',
  'job.deleted': 'Failed job deleted',
  'key.created': 'API key created',
  'key.revoked': 'API key revoked',
} as const
export type AuditAction = keyof typeof AUDIT_ACTIONS

const person = z.object({ id: z.string(), email: z.string(), full_name: z.string().nullable() })

/** One line of the audit log. */
export const auditEntry = z.object({
  id: z.number().int(),
  action: z.string(),
  actor_id: z.string().nullable().describe('null: the operator, on the command line'),
  actor: person.nullable().describe('null if the account was deleted'),
  subject_id: z.string().nullable(),
  subject: z.string().nullable().describe('name of the subject at that time; null for people'),
  person: person.nullable().describe('the person concerned, while the account exists'),
  details: z.record(z.string(), z.unknown()),
  created_at: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntry>
