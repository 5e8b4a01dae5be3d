import { message, readText } from './protocol.ts'

/**
 * Makes the named prepared statements of a connection private. All connections share one backend, where two clients that both
 * prepare `s1` would overwrite each other, so a name gets the number of the connection. Adds the new names to `names`.
 * Rewrites Parse (P), Bind (B), Describe (D) and Close (C) messages; returns other messages unchanged.
 */
export function makeNamesPrivate(connection: number, names: Set<string>, type: string, whole: Buffer): Buffer {
  const own = (name: string) => `c${connection}_${name}`
  if (type === 'P') {
    const { text: name, next } = readText(whole, 5)
    if (!name) return whole
    names.add(own(name))
    return message('P', own(name), whole.subarray(next))
  }
  if (type === 'B') {
    const portal = readText(whole, 5)
    const { text: name, next } = readText(whole, portal.next)
    return name ? message('B', portal.text, own(name), whole.subarray(next)) : whole
  }
  if ((type === 'D' || type === 'C') && whole[5] === 'S'.charCodeAt(0)) {
    const { text: name } = readText(whole, 6)
    if (!name) return whole
    if (type === 'C') names.delete(own(name))
    return message(type, Buffer.from('S'), own(name))
  }
  return whole
}
