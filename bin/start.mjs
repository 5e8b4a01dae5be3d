/** `npm start`: installs missing packages, builds, and runs the server. */
import { prepareNode } from './prepare/packages.mjs'
import { handOver, main } from './prepare/programs.mjs'
import { builtProgram, memoryEnv, prepareServer } from './prepare/server-programs.mjs'
import { prepareWebApp } from './prepare/web-app.mjs'

await main(async () => {
  const node = await prepareNode()
  await prepareWebApp(node)
  await prepareServer(node)
  await handOver(node, [builtProgram('server/main.ts'), ...process.argv.slice(2)], memoryEnv)
})
