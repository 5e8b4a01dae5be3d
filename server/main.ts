import { flushCompileCache } from 'node:module'
import { cacheCompiledFiles } from '#server/lib/compile-cache.ts'
import { reportFailure } from '#server/lib/report-failure.ts'

cacheCompiledFiles()

/** Starts the server: the only side effects of the program. Errors that an operator can fix are printed in one line. */
try {
  const { start } = await import('./start.ts')
  await start()
  flushCompileCache()
} catch (error) {
  reportFailure(error)
  process.exit(1)
}
