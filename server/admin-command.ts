/**
 * The program of `npm run admin -- <command>`, for the operator of the server. Without a command it prints the list of
 * commands. Stop the server first if it uses the embedded database.
 */
import { cacheCompiledFiles } from '#server/lib/compile-cache.ts'
import { reportFailure } from '#server/lib/report-failure.ts'

cacheCompiledFiles()
// The result is the output; the log would repeat the failures.
process.env['LOG_LEVEL'] ||= 'fatal'
try {
  const { runCommand } = await import('#server/operator/index.ts')
  process.exit(await runCommand(process.argv.slice(2)))
} catch (error) {
  reportFailure(error)
  process.exit(1)
}
