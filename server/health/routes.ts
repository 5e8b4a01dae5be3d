import { createRouter } from '#server/lib/router.ts'
import { checkReady } from './service.ts'

/** For supervisors and load balancers; no session. */
export const routes = createRouter()

routes.get('/healthz', (c) => c.json({ status: 'alive' }))
routes.get('/readyz', async (c) => {
  const failed = await checkReady()
  return c.json({ status: failed.length === 0 ? 'ready' : 'not ready', failed }, failed.length === 0 ? 200 : 503)
})
