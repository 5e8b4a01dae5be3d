import { env } from '#server/lib/env.ts'
import { version } from '#server/lib/version.ts'

/**
 * Returns the User-Agent header: product and contact address, which other services request. Removes characters that a header
 * cannot contain.
 */
export function userAgent(): string {
  const product = env.PRODUCT_NAME.replace(/[^ -~]/g, '').trim() || 'Lectern'
  const contact = env.CONTACT_EMAIL?.replace(/[^!-~]/g, '')
  return `${product}/${version}${contact ? ` (mailto:${contact})` : ''}`
}
