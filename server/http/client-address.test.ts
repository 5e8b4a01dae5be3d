import { describe, expect, it } from 'vitest'
import { clientAddress, networkOf } from './client-address.ts'

describe('client address', () => {
  it.each([
    ['no proxy is trusted', '203.0.113.5', '198.51.100.1', [], '203.0.113.5'],
    ['a proxy is trusted', '127.0.0.1', '198.51.100.1', ['127.0.0.1'], '198.51.100.1'],
    ['a network of proxies is trusted', '10.1.2.3', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
    [
      'the client sent an X-Forwarded-For of its own',
      '127.0.0.1',
      '1.2.3.4, 198.51.100.1',
      ['127.0.0.1'],
      '198.51.100.1',
    ],
    ['two proxies are chained', '127.0.0.1', '198.51.100.1, 10.0.0.9', ['127.0.0.1', '10.0.0.0/8'], '198.51.100.1'],
    ['the proxy sent no header', '127.0.0.1', undefined, ['127.0.0.1'], '127.0.0.1'],
    ['the header is not an address', '127.0.0.1', 'unknown', ['127.0.0.1'], '127.0.0.1'],
    ['the peer is an IPv4-mapped IPv6 address', '::ffff:127.0.0.1', '198.51.100.1', ['127.0.0.1'], '198.51.100.1'],
  ])('The client address is that of the first untrusted host when %s', (_when, peer, forwarded, proxies, expected) => {
    expect(clientAddress(peer, forwarded, proxies)).toBe(expected)
  })

  it('The client address counts as its /64 network in IPv6 and alone in IPv4', () => {
    expect(networkOf('2001:db8:1:2:3::1')).toBe(networkOf('2001:db8:1:2:ffff::2'))
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
    expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'))
  })
})
