import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Caches the compiled files of a program: loading and compiling them is a third of the time of a start. The cache is beside
 * the packages, so it belongs to the user who installed them. If that folder is not writable, a start only takes longer.
 */
export const cacheCompiledFiles = () =>
  void enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/lectern-compiled', import.meta.url)))
