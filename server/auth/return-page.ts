import { getOAuthState } from 'better-auth/api'
import { pages } from '#shared/contract/paths.ts'

/** Returns `value` if it has the form of an invitation's token, else undefined. */
export const tokenOf = (value: unknown) =>
  typeof value === 'string' && /^[\w-]{16,64}$/.test(value) ? value : undefined

/** Returns the page to open after a sign-in: `value` if it is a path on this server, else the list of projects. */
export const pageOf = (value: unknown) =>
  typeof value === 'string' && /^\/(?![/\\])[^\s]*$/.test(value) ? value : pages.projects()

/**
 * Returns the address of the sign-in page that opens `back` after the sign-in. `error` is a code of `refusalOf`
 * (web/auth/provider-refusal.ts), whose message the page shows.
 */
export const signInPage = (back: string, error?: string) =>
  pages.auth({ back: back === pages.projects() ? undefined : back, error })

/**
 * Returns `back`, the page that opens after the current callback of the sign-in provider. If it is the page of an invitation,
 * `invitation` is its token.
 */
export async function afterCallback() {
  const url = new URL((await getOAuthState())?.callbackURL ?? '', 'http://server')
  const back = pageOf(url.searchParams.get('back'))
  const prefix = pages.invitation('')
  return { back, invitation: back.startsWith(prefix) ? tokenOf(back.slice(prefix.length)) : undefined }
}
