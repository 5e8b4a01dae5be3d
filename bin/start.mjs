/** `npm start`: installs and builds what is missing, then hands over to the server. */
import { handOver, main, prepareNode, prepareWebApp } from './prepare.mjs'

await main(async () => {
  const node = await prepareNode()
  await prepareWebApp(node)
  await handOver(node, ['server/main.ts', ...process.argv.slice(2)])
})
