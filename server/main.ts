import { flushCompileCache } from 'node:module'
import { cacheCompiledFiles } from '#server/lib/compile-cache.ts'
import { reportFailure } from '#server/lib/report-failure.ts'

cacheCompiledFiles()
// On Linux and macOS, onnxruntime-node would send reports about models and devices to Microsoft. A worker reads this variable
// when it loads onnxruntime-node.
process.env['ORT_DISABLE_TELEMETRY'] = '1'

/** Starts the server. Errors that an operator can fix are printed in one line. */
try {
  const { start } = await import('./start.ts')
  await start()
  flushCompileCache()
} catch (error) {
  reportFailure(error)
  process.exit(1)
}
