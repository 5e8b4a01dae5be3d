/** `npm run build`: builds dist/web (the web app) and dist/server (the programs of the server). */
import { prepareNode } from './prepare/packages.mjs'
import { main } from './prepare/programs.mjs'
import { prepareServer } from './prepare/server-programs.mjs'
import { prepareWebApp } from './prepare/web-app.mjs'

await main(async () => {
  const node = await prepareNode()
  await prepareWebApp(node)
  await prepareServer(node)
})
