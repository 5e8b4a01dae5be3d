import { z } from 'zod'
import { rowVersion, seenVersion } from './versions.ts'

/** Whether a user added the journal, and whether only this user sees it. */
const origin = {
  user_added: z.boolean().describe('a person added it, not an administrator or OpenAlex'),
  personal: z.boolean().describe('only the person who added it sees it, with its feed'),
}

/** A journal in the selection list of ordinary users. */
export const journalOption = z.object({
  id: z.uuid(),
  name: z.string(),
  rss_feed_url: z.string().nullable(),
  ...origin,
})
export type JournalOption = z.infer<typeof journalOption>

/** Maximum number of journals that a user may add by name within 24 hours. */
export const JOURNALS_A_DAY = 100

/** Page size of the admin list of journals, and maximum number of journals in the results of a search. */
export const JOURNAL_PAGE_SIZE = 50
export const JOURNAL_SEARCH_LIMIT = 100
/** Page size of the search for journals at OpenAlex. */
export const SOURCES_PAGE_SIZE = 10

export const UNKNOWN_JOURNAL = 'Unknown Journal'
export const JOURNAL_NAME_REQUIRED = 'Journal name is required'
export const NO_OPENALEX_ID = 'No OpenAlex ID available for this journal'
export const OPENALEX_ID_REQUIRED = 'OpenAlex ID is required'
export const NOT_AN_OPENALEX_ID = 'This is not the OpenAlex ID of a journal, such as S137773608.'
export const OPENALEX_FETCH_FAILED = 'Failed to fetch journal data from OpenAlex'
export const BULK_EXCLUDED = 'Bulk excluded'
export const MANUALLY_EXCLUDED = 'Manually excluded'

/** Fields that updates from OpenAlex overwrite unless an admin edited them. See `give_back` of `journalPatch`. */
export const OPENALEX_FIELDS = [
  'name',
  'publisher',
  'issn_l',
  'works_count',
  'citations_count',
  'is_open_access',
  'homepage_url',
  'h_index',
  'i10_index',
  'works_api_url',
] as const
export type OpenAlexField = (typeof OPENALEX_FIELDS)[number]

/** A journal in the admin area. A personal journal (visible only to its user) has its feed address without the query. */
export const journal = z.object({
  id: z.uuid(),
  name: z.string(),
  publisher: z.string().nullable(),
  issn_l: z.string().nullable(),
  works_count: z.number().int().nullable(),
  citations_count: z.number().int().nullable(),
  is_open_access: z.boolean().nullable(),
  rss_feed_url: z.string().nullable(),
  homepage_url: z.string().nullable(),
  description: z.string().nullable(),
  h_index: z.number().int().nullable(),
  i10_index: z.number().int().nullable(),
  openalex_id: z.string().nullable(),
  works_api_url: z.string().nullable(),
  last_updated: z.string().nullable().describe('when OpenAlex last changed it'),
  updated_at: z.string(),
  version: rowVersion,
  ...origin,
  rss_feed_cut: z.boolean().describe('rss_feed_url is shown without its query, which may be a secret of the person'),
  edited_fields: z
    .array(z.enum(OPENALEX_FIELDS))
    .describe('fields that an admin changed; updates from OpenAlex keep them'),
})
export type Journal = z.infer<typeof journal>

export const listedJournal = journal.extend({ document_count: z.literal(0) })
export type ListedJournal = z.infer<typeof listedJournal>

/** The number of journals that are not excluded, and the latest time at which one was updated from OpenAlex. */
export const journalSummary = z.object({ count: z.number().int(), last_updated: z.string().nullable() })

/** Trims a web address and adds https:// if it has no scheme. Returns null for blank text and for an invalid address. */
export function readAddress(text: string | null): string | null {
  const given = (text ?? '').trim()
  if (!given || /\s/.test(given)) return null
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given.replace(/^\/+/, '')}`
  const url = URL.parse(address)
  // The part before an @ is a mailbox or a password, and the address is shown to every user.
  return url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? address : null
}

/**
 * Returns an address without the parts that may contain a secret: name and password, query and fragment. Returns '' for an
 * invalid address.
 */
export function publicAddress(address: string): string {
  const url = URL.parse(address)
  return url ? `${url.origin}${url.pathname}` : ''
}

/**
 * Returns the key of an OpenAlex source from the key itself or from an address that ends in it. The leading S is optional. Does
 * not check the form of the key. Returns null for blank text.
 */
export function readOpenAlexKey(text: string | null | undefined): string | null {
  const last =
    (text ?? '')
      .trim()
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1)
      ?.toUpperCase() ?? ''
  return last === '' ? null : /^\d+$/.test(last) ? `S${last}` : last
}

const SOURCE_KEY = /^S\d+$/

/**
 * Returns the OpenAlex address of a journal, from one of openalex.org, which gets https:// if it has no scheme, or from a
 * key such as S137773608 or 137773608. Null for other text.
 */
export function readOpenAlexAddress(text: string | null): string | null {
  const [address, key] = [readAddress(text), readOpenAlexKey(text)]
  if (address === null || key === null) return null
  const isAddress = text!.includes('/')
  if (isAddress && !/(?:^|\.)openalex\.org$/.test(new URL(address).hostname)) return null
  const end = address.replace(/\/+$/, '').split('/').at(-1)!.toUpperCase()
  if (isAddress && (end === key || !SOURCE_KEY.test(key))) return address
  return SOURCE_KEY.test(key) ? `https://openalex.org/${key}` : null
}

const MAX_COUNT = 2_147_483_647
const textOrNull = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullable()
    .transform((text) => text || null)
const address = z.string().max(2000).nullable().transform(readAddress)
const wholeNumber = z
  .union([z.number().int().min(0).max(MAX_COUNT), z.string().regex(/^\s*\d{0,10}\s*$/, 'This must be a whole number')])
  .nullable()
  .transform((given) => (given === null || String(given).trim() === '' ? null : Number(given)))
  .pipe(z.number().max(MAX_COUNT).nullable())

/** Fields of a journal that admins edit. Blank text becomes null, addresses are completed, invalid addresses become null. */
export const journalInput = z.object({
  name: z.string(JOURNAL_NAME_REQUIRED).trim().min(1, JOURNAL_NAME_REQUIRED).max(1000),
  publisher: textOrNull(1000).optional(),
  issn_l: textOrNull(50).optional(),
  description: textOrNull(20_000).optional(),
  is_open_access: z.boolean().nullable().optional(),
  rss_feed_url: address.optional(),
  homepage_url: address.optional(),
  openalex_id: z.string().max(2000).nullable().transform(readOpenAlexAddress).optional(),
  works_api_url: address.optional(),
  h_index: wholeNumber.optional(),
  i10_index: wholeNumber.optional(),
  works_count: wholeNumber.optional(),
  citations_count: wholeNumber.optional(),
})
export type JournalInput = z.output<typeof journalInput>

/**
 * Body of PATCH for a journal: the fields of `journalInput`, each optional. `give_back` lists edited fields that updates from
 * OpenAlex may overwrite again.
 */
export const journalPatch = journalInput
  .partial()
  .extend({ give_back: z.array(z.enum(OPENALEX_FIELDS)).optional(), version: seenVersion.optional() })
export type JournalPatch = z.output<typeof journalPatch>

/** Body of the request that adds a journal: the public address of its feed, or of a page that links to the feed. */
export const journalAdoption = z.object({
  rss_feed_url: z
    .string('An address is required')
    .max(2000)
    .refine((text) => readAddress(text) !== null, 'This is not an address that everybody can read.')
    .transform((text) => readAddress(text)!),
})

/** A result of the search in the 'Add Journal' dialog: a journal or another series, which OpenAlex calls a source. */
export const openAlexSource = z.object({
  openalex_id: z.string(),
  name: z.string(),
  type: z.string().nullable(),
  publisher: z.string().nullable(),
  issn_l: z.string().nullable(),
  works_count: z.number().int().nullable(),
  citations_count: z.number().int().nullable(),
  is_open_access: z.boolean().nullable(),
  homepage_url: z.string().nullable(),
  h_index: z.number().int().nullable(),
  i10_index: z.number().int().nullable(),
  works_api_url: z.string().nullable(),
})
export type OpenAlexSource = z.infer<typeof openAlexSource>

export const foundSource = openAlexSource.extend({
  journal_id: z.uuid().nullable().describe('the journal in the catalog, if it is there already'),
  excluded: z.boolean(),
})
export type FoundSource = z.infer<typeof foundSource>

export const excludedJournal = z.object({
  id: z.uuid(),
  openalex_id: z.string(),
  journal_name: z.string(),
  reason: z.string().nullable(),
  excluded_at: z.string(),
})
export type ExcludedJournal = z.infer<typeof excludedJournal>

/** Body of a request that adds a journal to the exclusion list, by its OpenAlex key or address. */
export const exclusionInput = z.object({
  openalex_id: z
    .string({ error: OPENALEX_ID_REQUIRED })
    .max(2000)
    .refine((text) => readOpenAlexKey(text) !== null, OPENALEX_ID_REQUIRED)
    .refine(
      (text) => readOpenAlexKey(text) === null || SOURCE_KEY.test(readOpenAlexKey(readOpenAlexAddress(text)) ?? ''),
      NOT_AN_OPENALEX_ID,
    ),
  journal_name: textOrNull(1000).optional(),
  reason: textOrNull(1000).optional(),
})
export type ExclusionInput = z.output<typeof exclusionInput>

export const bulkExclusionInput = z.object({
  journal_ids: z.array(z.uuid()).min(1, 'Please select at least one journal to exclude').max(1000),
  reason: textOrNull(1000).optional(),
})

/** Result of the exclusion of several journals. `without_id`: the journals not excluded, because they have no OpenAlex ID. */
export const bulkExclusion = z.object({ excluded: z.number().int(), without_id: z.array(z.string()) })
export type BulkExclusion = z.infer<typeof bulkExclusion>
