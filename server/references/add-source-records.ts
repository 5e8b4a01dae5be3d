import type { Actor } from '#server/db/actor.ts'
import type { RecordCounts } from '#server/imports/index.ts'
import { createTags } from '#server/projects/index.ts'
import { addBatch, type BatchOptions, type BatchPlace } from './add-batch.ts'
import { runOnReferences } from './reference-pool.ts'
import type { SourceRecord } from './tasks.ts'

/**
 * The choices for records of other sources: duplicates are joined with existing papers, and citation keys and tags of the
 * source are used.
 */
const CHOICES = { joinDuplicates: true, keepCitationKeys: true, groupsAsTags: true, tags: [] }

/**
 * Adds records of a source that is not a file (such as Zotero) to a project, with the rules for importing a file. Throws
 * 'conflict' if the import was undone, or if it does not have `place.before` records.
 */
export async function addSourceRecords(
  actor: Actor,
  place: Pick<BatchPlace, 'projectId' | 'lockedImport' | 'before'>,
  records: readonly SourceRecord[],
  options: BatchOptions,
): Promise<RecordCounts> {
  const { userId: person } = actor
  const { signal } = options
  const { keys, records: planned } = await runOnReferences(
    'plan',
    { records, choices: CHOICES, before: place.before },
    { person, signal },
  )
  await createTags(actor, place.projectId, [...new Set(records.flatMap(({ tags = [] }) => tags))])
  return addBatch(actor, { ...place, joinDuplicates: true }, { keys, records: planned }, options)
}
