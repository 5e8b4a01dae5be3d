import { z } from 'zod'
import { LONGEST_SEARCH, SEARCH_KINDS, SEARCH_SCOPES } from './address-values.ts'
import { rowVersion, seenVersion } from './versions.ts'

/** Maximum number of saved searches of a user in a project. */
export const MOST_SAVED_SEARCHES = 50
export const TOO_MANY_SAVED_SEARCHES = `You have ${MOST_SAVED_SEARCHES} saved searches in this project. Delete one first.`
export const LONGEST_SEARCH_NAME = 100
/**
 * The daily e-mail searches papers that were added within this number of days, because a new paper matches only after its text
 * is extracted. Papers of earlier e-mails are not repeated.
 */
export const NEW_MATCH_DAYS = 7

const texts = z.array(z.string().max(500)).max(100).optional()
const year = z.number().int().min(0).max(9999).optional()

/** The search terms and filters of a saved search: the parameters in the address of the search page, except the page number. */
export const savedQuery = z.object({
  q: z.string().trim().min(1).max(LONGEST_SEARCH),
  kind: z.enum(SEARCH_KINDS).optional(),
  scope: z.enum(SEARCH_SCOPES).optional(),
  tag: texts,
  from: year,
  to: year,
  evidence: texts,
  type: texts,
  file: z.enum(['true', 'false']).optional(),
})
export type SavedQuery = z.infer<typeof savedQuery>

/** A saved search of the caller. */
export const savedSearch = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  name: z.string(),
  query: savedQuery,
  notify: z.boolean().describe('a daily e-mail about new papers that match'),
  last_notified_at: z.string().nullable().describe('the last search for new papers'),
  created_at: z.string(),
  version: rowVersion,
})
export type SavedSearch = z.infer<typeof savedSearch>

const name = z.string().trim().min(1, 'Enter a name.').max(LONGEST_SEARCH_NAME)

export const newSavedSearch = z.object({ name, query: savedQuery, notify: z.boolean().default(false) })
export type NewSavedSearch = z.input<typeof newSavedSearch>

export const savedSearchEdit = z.object({ name, notify: z.boolean(), version: seenVersion }).partial()
export type SavedSearchEdit = z.infer<typeof savedSearchEdit>
