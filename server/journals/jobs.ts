import { asSystem } from '#server/db/client.ts'
import { registerWorker } from '#server/queue/queue.ts'
import { endImport } from './import-queries.ts'
import { type QueuedImport, updateCatalogue } from './update-catalogue.ts'

/** Time limit of a catalog update. OpenAlex needs a long time for several thousand pages. */
const RUN_LIMIT_SECONDS = 20 * 3600

/** Registers the worker for catalog updates. The database allows only one running update. */
export function registerJobs(): void {
  registerWorker<QueuedImport>('journals', updateCatalogue, {
    timeLimitSeconds: RUN_LIMIT_SECONDS,
    onFailed: async ({ input, error }) => {
      await asSystem((tx) => endImport(tx, input.import_id, 'error', error))
    },
  })
}
