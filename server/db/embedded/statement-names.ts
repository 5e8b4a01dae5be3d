import { message, readText } from './protocol.ts'

/**
 * Returns a message of a client with the number of the connection added to the name of its prepared statement. All clients
 * share one PostgreSQL backend, where two clients that both prepare `s1` would overwrite each other. `type` is the type of the
 * message `whole`: Parse (P), Bind (B), Describe (D) or Close (C). Returns other messages unchanged. `names` has the changed
 * names of the connection; Parse adds its name, and Close removes it.
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
