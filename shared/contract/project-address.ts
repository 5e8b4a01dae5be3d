/** Matches an unambiguous address: the name of a project, `~` and the first four hexadecimal digits of its id. */
const ENDING = /^(?<name>.+)~(?<digits>[0-9a-f]{4})$/is

/**
 * Returns the unambiguous address of a project, such as `Naps~3f2a`. It leads every member to the same project, although
 * projects can have equal names. Links in e-mails use it. A unique index prevents a second project with this address.
 */
export const unambiguousAddress = ({ id, name }: { id: string; name: string }): string => `${name}~${id.slice(0, 4)}`

/** Returns the name and the digits of an unambiguous address; null for another address. */
export function readUnambiguousAddress(address: string): { name: string; digits: string } | null {
  const { name = '', digits = '' } = ENDING.exec(address)?.groups ?? {}
  return name ? { name, digits: digits.toLowerCase() } : null
}

/** The error for a project whose unambiguous address would be equal to the address of another project. */
export const ADDRESS_TAKEN = 'Another project of this name would have the same address. Please choose another name.'

/** The error for a project name that has the form of an unambiguous address. */
export const NAME_LIKE_ADDRESS =
  'A project name cannot end in “~” and four digits or letters from a to f. Please choose another one.'
