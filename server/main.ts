import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// Room for young objects in the threads that start from now on: sixteen megabytes, the default, three times over in each of
// them win no time. The limits that single threads are given go before it.
setFlagsFromString('--max-semi-space-size=4')

// Reading and translating its own files is a third of a start; beside the packages, so that it belongs to whoever installed
// them. Where that folder cannot be written, the start only takes longer.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/lectern-compiled', import.meta.url)))

/** Starts the server: the only side effects of the program. Failures that an operator can mend end in one line. */
try {
  const { start } = await import('./start.ts')
  await start()
  flushCompileCache()
  const { giveBackMemory } = await import('./lib/give-back-memory.ts')
  giveBackMemory()
} catch (error) {
  const known = error instanceof Error && ['SettingError', 'AppError', 'StartError'].includes(error.name)
  console.error(known ? error.message : error)
  process.exit(1)
}
