import { pages } from '#shared/contract/paths.ts'

/** Returns the token of the invitation to which the sign-in returns, or undefined. */
export const invitationIn = (back: string | undefined) =>
  back?.startsWith(pages.invitation('')) ? back.slice(pages.invitation('').length) : undefined
