import { pages } from '#shared/contract/paths.ts'

/**
 * Returns the token of an invitation if `back`, the path that opens after the sign-in, is an invitation link; otherwise
 * undefined.
 */
export const invitationIn = (back: string | undefined) =>
  back?.startsWith(pages.invitation('')) ? back.slice(pages.invitation('').length) : undefined
