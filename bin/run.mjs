/**
 * `node bin/run.mjs <program> [arguments]`: runs a built program of the server, another TypeScript or JavaScript file, or a
 * binary of an npm package on the pinned Node.
 */
import { join } from 'node:path'
import { prepareNode } from './prepare/packages.mjs'
import { handOver, main, root, SetupError } from './prepare/programs.mjs'
import { builtProgram, prepareServer } from './prepare/server-programs.mjs'

await main(async () => {
  const [program, ...args] = process.argv.slice(2)
  if (!program) throw new SetupError('Usage: node bin/run.mjs <.ts file or binary> [arguments]')
  const node = await prepareNode()
  if (program.startsWith('server/')) {
    await prepareServer(node)
    await handOver(node, [builtProgram(program), ...args])
  } else if (/\.m?[jt]s$/.test(program)) await handOver(node, [program, ...args])
  else await handOver(join(root, 'node_modules', '.bin', program), args)
})
