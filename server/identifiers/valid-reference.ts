import { referencePatch } from '#shared/contract/reference-edits.ts'
import type { Reference } from '#shared/contract/references.ts'
import { storableText } from '#shared/text/storable-text.ts'

/** Returns the reference of a service without the fields that the API refuses, such as a date that does not exist. */
export function validReference({ custom, ...given }: Reference): Reference {
  const storable = JSON.parse(JSON.stringify(given), (_name, value: unknown) =>
    typeof value === 'string' ? storableText(value) : value,
  ) as Record<string, unknown>
  const checked = referencePatch.safeParse(storable)
  for (const issue of checked.error?.issues ?? []) delete storable[String(issue.path[0])]
  const valid = (checked.data ?? referencePatch.parse(storable)) as Reference
  return { ...valid, type: given.type, ...(custom ? { custom } : {}) }
}
