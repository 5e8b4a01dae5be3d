import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { env } from './env.ts'

/** Whether `address` is one of the proxies that the operator named. */
function isTrusted(address: string, proxies: readonly string[]): boolean {
  const parsed = ipaddr.process(address)
  return proxies.some((entry) => {
    const [network, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : [ipaddr.process(entry), null]
    if (network.kind() !== parsed.kind()) return false
    return bits === null ? network.toString() === parsed.toString() : parsed.match(network, bits)
  })
}

/**
 * The address a request comes from. What a client says about itself counts only where a proxy of TRUSTED_PROXIES wrote
 * it: the last address of X-Forwarded-For that is none of them.
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

/** What a limit counts by: an address, or the network of 2^64 that one customer of IPv6 has. */
export function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? `${parsed.toByteArray().slice(0, 8).join('.')}/64` : parsed.toString()
}
