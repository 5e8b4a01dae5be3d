import ipaddr from 'ipaddr.js'

/** The only global unicast range of IPv6. It does not include ranges such as ::/96 (IPv4-compatible). */
const IPV6_WORLD = ipaddr.parseCIDR('2000::/3')

/**
 * Returns whether any machine on the internet could reach the address. False for loopback, private, link-local,
 * carrier-grade NAT, multicast and reserved ranges, and for every IPv6 form that contains an IPv4 address (mapped,
 * NAT64, 6to4, Teredo): through them a request could reach the operator's network. `address` is an IP address without
 * brackets.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(IPV6_WORLD)
}
