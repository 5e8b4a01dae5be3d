/** `npm run build`: makes dist/web, the web app as the server hands it out. */
import { main, prepareNode, prepareWebApp } from './prepare.mjs'

await main(async () => {
  await prepareWebApp(await prepareNode())
})
