import { createServer, type Server } from 'node:http'
import { log } from '#server/lib/log.ts'

/**
 * Creates a temporary HTTP server that shows the progress of a migration that changes many rows. The server listens at the
 * address of the main server, which does not listen yet. It responds to /healthz with 200, and to other requests with 503 and
 * the progress. The result has two functions: `report` stores the progress and starts the server at the first call, and `close`
 * ends it.
 */
export function migrationServer(address: { host: string; port: number }): {
  report: (done: number, total: number) => void
  close: () => Promise<void>
} {
  let server: Server | undefined
  let progress = { done: 0, total: 0 }
  const listen = () =>
    createServer((request, response) => {
      const isAlive = request.url === '/healthz'
      const body = isAlive ? { status: 'alive' } : { status: 'not ready', failed: ['migration'], progress }
      response.writeHead(isAlive ? 200 : 503, { 'content-type': 'application/json', connection: 'close' })
      response.end(JSON.stringify(body))
    })
      // The server itself reports an address that is in use.
      .on('error', (error) => log.warn({ err: error }, 'the progress of the migration is not available over HTTP'))
      .listen(address)
  return {
    report: (done, total) => {
      progress = { done, total }
      log.info(progress, 'a migration changes rows')
      server ??= listen()
    },
    close: async () => {
      server?.closeAllConnections()
      await new Promise<void>((closed) => (server?.listening ? server.close(() => closed()) : closed()))
    },
  }
}
