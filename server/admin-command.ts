/**
 * `npm run admin -- <command>`: for the operator; without a command it prints the list. Stop the server first when it
 * uses the embedded database.
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
