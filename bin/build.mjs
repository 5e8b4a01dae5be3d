/** `npm run build`: makes dist/web, the web app as the server hands it out, and dist/server, the server's programs. */
import { prepareNode } from './prepare/packages.mjs'
import { main } from './prepare/programs.mjs'
import { prepareServer } from './prepare/server-programs.mjs'
import { prepareWebApp } from './prepare/web-app.mjs'

await main(async () => {
  const node = await prepareNode()
  await prepareWebApp(node)
  await prepareServer(node)
})
