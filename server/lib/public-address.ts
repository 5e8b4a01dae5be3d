import ipaddr from 'ipaddr.js'

/** 2000::/3, the only part of IPv6 that is handed out to the world; ::/96 (IPv4-compatible) and the like stand outside it. */
const IPV6_WORLD = ipaddr.parseCIDR('2000::/3')

/**
 * True for an address that any machine on the internet could reach. Loopback, private, link-local, carrier-grade NAT,
 * multicast, reserved ranges and every IPv6 form that carries an IPv4 address (mapped, NAT64, 6to4, Teredo) are not:
 * through them a request could reach the inside of the operator's network. `address` is an IP address without brackets.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(IPV6_WORLD)
}
