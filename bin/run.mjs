/**
 * `node bin/run.mjs <program> [arguments]`: runs a program of the server, as it is built, another TypeScript file, or a binary
 * of one of our packages, on the pinned Node.
 */
import { join } from 'node:path'
import { prepareNode } from './prepare/packages.mjs'
import { handOver, main, root, SetupError } from './prepare/programs.mjs'
import { builtProgram, prepareServer } from './prepare/server-programs.mjs'

await main(async () => {
  const [program, ...args] = process.argv.slice(2)
  if (!program) throw new SetupError('Name a .ts file or a binary to run.')
  const node = await prepareNode()
  if (program.startsWith('server/')) {
    await prepareServer(node)
    await handOver(node, [builtProgram(program), ...args])
  } else if (/\.m?[jt]s$/.test(program)) await handOver(node, [program, ...args])
  else await handOver(join(root, 'node_modules', '.bin', program), args)
})
