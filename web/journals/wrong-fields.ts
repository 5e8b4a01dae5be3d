import { JOURNAL_NAME_REQUIRED, NOT_AN_OPENALEX_ID, readOpenAlexAddress } from '#shared/contract/journals.ts'

/** The fields with a whole number. */
export const COUNTS = ['works_count', 'citations_count', 'h_index', 'i10_index'] as const

type Checked = Readonly<Record<'name' | 'openalex_id' | (typeof COUNTS)[number], string>>

/**
 * Returns the messages for the wrong fields in the form of a journal. The form does not send wrong fields: the server stores
 * null for an invalid OpenAlex ID, so that the typed text would be lost. An unchanged OpenAlex ID is not sent and not checked.
 */
export function wrongFields(before: Pick<Checked, 'openalex_id'>, values: Checked): Record<string, string> {
  const wrong: Record<string, string> = {}
  if (values.name.trim() === '') wrong['name'] = JOURNAL_NAME_REQUIRED
  const { openalex_id: id } = values
  if (id !== before.openalex_id && id.trim() !== '' && readOpenAlexAddress(id) === null)
    wrong['openalex_id'] = NOT_AN_OPENALEX_ID
  for (const name of COUNTS) if (!/^\s*\d*\s*$/.test(values[name])) wrong[name] = 'This must be a whole number'
  return wrong
}
