import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { env } from '#server/lib/env.ts'

/** Returns whether `address` is one of the trusted proxies. */
function isTrusted(address: string, proxies: readonly string[]): boolean {
  const parsed = ipaddr.process(address)
  return proxies.some((entry) => {
    const [network, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : [ipaddr.process(entry), null]
    if (network.kind() !== parsed.kind()) return false
    return bits === null ? network.toString() === parsed.toString() : parsed.match(network, bits)
  })
}

/**
 * Returns the client address of a request: the last address of X-Forwarded-For that is not a trusted proxy. The header is used
 * only if a proxy of TRUSTED_PROXIES sent it; otherwise the client is `peer`, the address of the connection. A `peer` that is
 * not an IP address counts as 127.0.0.1.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  proxies: readonly string[] = env.TRUSTED_PROXIES,
): string {
  let address = isIP(peer) ? peer : '127.0.0.1'
  const before = (forwardedFor ?? '').split(',').map((one) => one.trim())
  while (isTrusted(address, proxies)) {
    const next = before.pop()
    if (next === undefined || !isIP(next)) break
    address = next
  }
  return ipaddr.process(address).toString()
}

/**
 * Returns the network of an address, by which rate limits count: an IPv4 address itself, or the /64 network of an IPv6 address,
 * because one customer usually has a whole /64 network.
 */
export function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? `${parsed.toByteArray().slice(0, 8).join('.')}/64` : parsed.toString()
}
