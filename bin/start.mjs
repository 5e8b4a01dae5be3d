/** `npm start`: installs and builds what is missing, then hands over to the server. */
import { prepareNode } from './prepare/packages.mjs'
import { handOver, main } from './prepare/programs.mjs'
import { prepareWebApp } from './prepare/web-app.mjs'

await main(async () => {
  const node = await prepareNode()
  await prepareWebApp(node)
  await handOver(node, ['server/main.ts', ...process.argv.slice(2)])
})
