import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on loopback that stores the JSON body of every POST. */
export interface Collector {
  url: string
  /** Returns the bodies of the POST requests to a path, in the order of arrival. */
  received: (path: string) => unknown[]
  stop: () => Promise<void>
}

/** Starts a server that simulates an OpenTelemetry collector or a service for error reports. */
export async function startCollector(): Promise<Collector> {
  const bodies: { path: string; body: unknown }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      bodies.push({ path: request.url ?? '', body: JSON.parse(text) })
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: (path) => bodies.filter((one) => one.path === path).map(({ body }) => body),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
