import { describe, expect, it } from 'vitest'
import { clientAddress, networkOf } from './client-address.ts'

describe('the address of a client', () => {
  it.each([
    ['nobody is trusted', '203.0.113.5', '198.51.100.1', [], '203.0.113.5'],
    ['a proxy is trusted', '127.0.0.1', '198.51.100.1', ['127.0.0.1'], '198.51.100.1'],
    ['a network of proxies is', '10.1.2.3', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
    ['the client wrote a line of its own first', '127.0.0.1', '1.2.3.4, 198.51.100.1', ['127.0.0.1'], '198.51.100.1'],
    ['two proxies stand in a row', '127.0.0.1', '198.51.100.1, 10.0.0.9', ['127.0.0.1', '10.0.0.0/8'], '198.51.100.1'],
    ['the proxy said nothing', '127.0.0.1', undefined, ['127.0.0.1'], '127.0.0.1'],
    ['what it says is no address', '127.0.0.1', 'unknown', ['127.0.0.1'], '127.0.0.1'],
    ['the peer is an IPv4 address in IPv6 clothes', '::ffff:127.0.0.1', '198.51.100.1', ['127.0.0.1'], '198.51.100.1'],
  ])('when %s', (_when, peer, forwarded, proxies, expected) => {
    expect(clientAddress(peer, forwarded, proxies)).toBe(expected)
  })

  it('counts as one with its neighbours in IPv6, and alone in IPv4', () => {
    expect(networkOf('2001:db8:1:2:3::1')).toBe(networkOf('2001:db8:1:2:ffff::2'))
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
    expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'))
  })
})
