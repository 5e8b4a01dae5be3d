import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { reportFailure } from '#server/lib/report-failure.ts'

// Loading and compiling its own files is a third of the start time. The cache is beside the packages, so it belongs to
// the user who installed them. Where that folder is not writable, the start only takes longer.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lectern-compiled', import.meta.url)))

/** Starts the server: the only side effects of the program. Errors that an operator can fix are printed in one line. */
try {
  const { start } = await import('./start.ts')
  await start()
  flushCompileCache()
} catch (error) {
  reportFailure(error)
  process.exit(1)
}
