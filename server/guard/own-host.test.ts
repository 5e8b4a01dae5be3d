import { expect, it } from 'vitest'
import { isNameless, isOwnHost } from './own-host.ts'

const LOOPBACK = { HOST: '127.0.0.1' }
const PUBLIC = { HOST: '127.0.0.1', PUBLIC_URL: 'https://Lectern.example.org:8443/' }
const EVERYWHERE = { HOST: '0.0.0.0' }
const EVERYWHERE_NAMED = { HOST: '::', PUBLIC_URL: 'https://lectern.example.org' }
const LAN = { HOST: '192.168.1.5' }

it.each([
  ['a loopback address', '127.0.0.1', PUBLIC, true],
  ['another loopback address', '127.8.9.10', PUBLIC, true],
  ['the loopback address of IPv6', '[::1]', PUBLIC, true],
  ['a loopback address mapped to IPv6', '[::ffff:7f00:1]', PUBLIC, true],
  ['localhost', 'LocalHost', PUBLIC, true],
  ['a name below localhost', 'lectern.localhost', LOOPBACK, true],
  ['the name of PUBLIC_URL', 'lectern.example.org', PUBLIC, true],
  ['the name of PUBLIC_URL with a last dot', 'LECTERN.example.org.', PUBLIC, true],
  ['a name below that of PUBLIC_URL', 'x.lectern.example.org', PUBLIC, false],
  ['a name that ends like localhost', 'notlocalhost', PUBLIC, false],
  ['a name that begins like a loopback address', '127.0.0.1.evil.example', PUBLIC, false],
  ['another name', 'evil.example', LOOPBACK, false],
  ['another name where the server listens everywhere', 'evil.example', EVERYWHERE, false],
  ['an address where the server listens on loopback', '192.168.1.5', LOOPBACK, false],
  ['an address where PUBLIC_URL is set', '192.168.1.5', EVERYWHERE_NAMED, false],
  ['the address of HOST', '192.168.1.5', LAN, true],
  ['another address than that of HOST', '192.168.1.6', LAN, false],
  ['an address where the server listens everywhere', '192.168.1.5', EVERYWHERE, true],
  ['an address of IPv6 where the server listens everywhere', '[2001:db8::5]', EVERYWHERE, true],
  ['the name of the machine', 'library.lab.example', EVERYWHERE, true],
  ['the short name of the machine', 'library', EVERYWHERE, true],
  ['the name of the machine in the local network', 'library.local', EVERYWHERE, true],
  ['the name of the machine where PUBLIC_URL is set', 'library', EVERYWHERE_NAMED, false],
] as const)('the host of a request: %s', (_, host, settings, expected) => {
  expect(isOwnHost(host, settings, 'Library.lab.example')).toBe(expected)
})

it('isNameless returns true only if the server listens on all addresses without PUBLIC_URL', () => {
  expect([LOOPBACK, PUBLIC, EVERYWHERE, EVERYWHERE_NAMED, LAN].map((one) => isNameless(one))).toEqual([
    false,
    false,
    true,
    false,
    false,
  ])
})
