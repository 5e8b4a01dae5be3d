import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Caches the compiled files of a program, because loading and compiling them is a third of the time of a start. The cache is in
 * the folder of the packages, so it belongs to the user who installed them. If this folder is not writable, there is no cache,
 * and a start takes longer.
 */
export const cacheCompiledFiles = () =>
  void enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/lectern-compiled', import.meta.url)))
