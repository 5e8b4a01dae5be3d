import { asOwner } from '#server/db/client.ts'
import { work } from '#server/lib/jobs.ts'
import { endImport } from './import-queries.ts'
import { type QueuedImport, updateCatalogue } from './update-catalogue.ts'

/** OpenAlex takes its time over some thousands of pages. */
const RUN_LIMIT_SECONDS = 20 * 3600

/** Takes the updates of the catalogue; the database lets one run at a time. */
export async function registerJobs(): Promise<void> {
  await work<QueuedImport>('journals', updateCatalogue, {
    timeLimitSeconds: RUN_LIMIT_SECONDS,
    onFailed: async ({ input, error }) => {
      await asOwner((tx) => endImport(tx, input.import_id, 'error', error))
    },
  })
}
