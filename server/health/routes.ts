import { AppError } from '#server/lib/errors.ts'
import { access } from '#server/http/route-access.ts'
import { createRouter } from '#server/http/router.ts'
import { mayMeasure, measure } from './measure.ts'
import { findFailures } from './service.ts'

/** Health checks for supervisors and load balancers, and metrics for Prometheus. No session needed. */
export const routes = createRouter()
const open = access({ role: 'visitor', body: 'none', limit: 'none', scope: 'none' })

routes.get('/healthz', open, (c) => c.json({ status: 'alive' }))
routes.get('/readyz', open, async (c) => {
  const reasons = await findFailures()
  const failed = Object.keys(reasons)
  if (failed.length === 0) return c.json({ status: 'ready', failed }, 200)
  c.header('retry-after', '5')
  return c.json({ status: 'not ready', failed, reasons }, 503)
})
// Requires its own token instead of a session: METRICS_TOKEN. A 404 does not reveal whether METRICS_TOKEN is set.
routes.get('/metrics', open, async (c) => {
  if (!mayMeasure(c.req.header('authorization'))) throw new AppError('not_found', 'There is nothing at this address.')
  const { text, contentType } = await measure()
  return c.body(text, 200, { 'content-type': contentType, 'cache-control': 'no-store' })
})
