/**
 * Matches an address that is unique to one project (an unambiguous address): the name of the project, `~` and the first four
 * hexadecimal digits of its id.
 */
const ENDING = /^(?<name>.+)~(?<digits>[0-9a-f]{4})$/is

/**
 * Returns an address that is unique to this project, such as `Naps~3f2a`: its name and the first digits of its id. The name
 * alone can lead members to different projects, because projects can have equal names. Links in e-mails use the unique address.
 * An index of the database prevents a second project with the same address.
 */
export const unambiguousAddress = ({ id, name }: { id: string; name: string }): string => `${name}~${id.slice(0, 4)}`

/**
 * Splits an unambiguous address, such as `Naps~3f2a`, into the name of the project and the first four digits of its id. Returns
 * null for any other address.
 */
export function readUnambiguousAddress(address: string): { name: string; digits: string } | null {
  const { name = '', digits = '' } = ENDING.exec(address)?.groups ?? {}
  return name ? { name, digits: digits.toLowerCase() } : null
}

/**
 * The error message if the creation or renaming of a project would give it the unambiguous address (see `unambiguousAddress`)
 * of another project. This happens if both have the same name and ids with the same first four digits.
 */
export const ADDRESS_TAKEN = 'Another project of this name would have the same address. Please choose another name.'

/** The error message for a project name that ends like an unambiguous address, such as `Naps~3f2a`. */
export const NAME_LIKE_ADDRESS =
  'A project name cannot end in “~” and four digits or letters from a to f. Please choose another one.'
