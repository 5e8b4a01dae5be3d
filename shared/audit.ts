import { z } from 'zod'

/**
 * Everything that administrators can do and the audit log keeps, with the words it is shown in. What comes before the
 * dot is the kind of thing it was done to, which the log is filtered by.
 */
export const AUDIT_ACTIONS = {
  'person.admin_granted': 'Made an admin',
  'person.admin_removed': 'Made a regular user',
  'person.disabled': 'Account disabled',
  'person.enabled': 'Account enabled',
  'person.factor_removed': 'Second factor removed',
  'journal.added': 'Journal added',
  'journal.changed': 'Journal changed',
  'journal.refreshed': 'Journal refreshed from OpenAlex',
  'journal.deleted': 'Journal deleted',
  'exclusion.added': 'Journal excluded',
  'exclusion.removed': 'Exclusion removed',
  'import.started': 'Journal update started',
  'import.cancelled': 'Journal update cancelled',
  'prompt.added': 'Prompt added',
  'prompt.changed': 'Prompt changed',
  'prompt.deleted': 'Prompt deleted',
  'price.changed': 'Model price changed',
  'price.deleted': 'Model price removed',
  'budget.changed': 'Budget changed',
  'job.retried': 'Failed job started again',
  'job.deleted': 'Failed job deleted',
} as const
export type AuditAction = keyof typeof AUDIT_ACTIONS

/** The kinds of things, as the filter calls them. */
export const AUDIT_KINDS = {
  person: 'People',
  journal: 'Journals',
  exclusion: 'Exclusions',
  import: 'Journal update',
  prompt: 'Prompts',
  price: 'Prices',
  budget: 'Budgets',
  job: 'Jobs',
} as const
export type AuditKind = keyof typeof AUDIT_KINDS
export const AUDIT_KIND_NAMES = Object.keys(AUDIT_KINDS) as [AuditKind, ...AuditKind[]]

const person = z.object({ id: z.string(), email: z.string(), full_name: z.string().nullable() })

/** One line of the audit log. */
export const auditEntry = z.object({
  id: z.number().int(),
  action: z.string(),
  actor_id: z.string().nullable().describe('null: the operator, by the command line'),
  actor: person.nullable().describe('null where the account is gone'),
  subject_id: z.string().nullable(),
  subject: z.string().nullable().describe('what the thing was called then; null for people'),
  person: person.nullable().describe('the person it was done to, while the account exists'),
  details: z.record(z.string(), z.unknown()),
  created_at: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntry>
