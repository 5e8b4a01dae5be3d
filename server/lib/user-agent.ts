import { env } from './env.ts'
import { version } from './version.ts'

/** Who is calling and whom to write to, as others' servers want to know. Settings may hold letters that no header can. */
export function userAgent(): string {
  const product = env.PRODUCT_NAME.replace(/[^ -~]/g, '').trim() || 'Lectern'
  const contact = env.CONTACT_EMAIL?.replace(/[^!-~]/g, '')
  return `${product}/${version}${contact ? ` (mailto:${contact})` : ''}`
}
