import { hostname } from 'node:os'
import ipaddr from 'ipaddr.js'
import { env } from '#server/lib/env.ts'

/** HOST values that listen on every address of the machine. */
const EVERYWHERE = new Set(['0.0.0.0', '::'])

interface Settings {
  HOST: string
  PUBLIC_URL?: string | undefined
}

/**
 * Returns whether the server listens on all addresses of its machine and PUBLIC_URL is not set. In this case, other machines
 * can reach the server by host names that are not in its settings.
 */
export const isNameless = ({ HOST, PUBLIC_URL }: Settings = env): boolean =>
  PUBLIC_URL === undefined && EVERYWHERE.has(HOST)

/**
 * Returns whether `host`, the host of a request without its port, is this server: the host of PUBLIC_URL, a loopback name or
 * address, or HOST. If `isNameless`, the name of the machine and every IP address are also accepted: other machines can use
 * addresses that the server does not know, for example of a container host. An IP address is safe, because DNS rebinding needs
 * a name.
 */
export function isOwnHost(host: string, settings: Settings = env, machine: string = hostname()): boolean {
  const name = plain(host)
  if (isLoopback(name)) return true
  if (settings.PUBLIC_URL !== undefined && name === plain(new URL(settings.PUBLIC_URL).hostname)) return true
  if (name === plain(settings.HOST)) return true
  return isNameless(settings) && (ipaddr.isValid(name) || namesOf(machine).includes(name))
}

/** Returns a host in lower case, without the brackets of IPv6 and without a final dot. */
const plain = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback'
}

/** Returns the names of a machine: the full name, its first label, and this label with '.local' (mDNS). */
function namesOf(machine: string): string[] {
  const whole = plain(machine)
  const short = whole.split('.')[0]!
  return [whole, short, `${short}.local`]
}
