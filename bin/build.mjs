/** `npm run build`: makes dist/web, the web app as the server hands it out. */
import { prepareNode } from './prepare/packages.mjs'
import { main } from './prepare/programs.mjs'
import { prepareWebApp } from './prepare/web-app.mjs'

await main(async () => {
  await prepareWebApp(await prepareNode())
})
