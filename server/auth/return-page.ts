import { getOAuthState } from 'better-auth/api'
import { pages } from '#shared/contract/paths.ts'

/** Returns the token of an invitation; undefined for another value. */
export const tokenOf = (value: unknown) =>
  typeof value === 'string' && /^[\w-]{16,64}$/.test(value) ? value : undefined

/** Returns the page of this server to which a sign-in returns: without a valid path, the projects. */
export const pageOf = (value: unknown) =>
  typeof value === 'string' && /^\/(?![/\\])[^\s]*$/.test(value) ? value : pages.projects()

/** Returns the sign-in page that returns to `back`; `error` is a code of `refusalOf` (web/auth/provider-button.tsx). */
export const signInPage = (back: string, error?: string) =>
  pages.auth({ back: back === pages.projects() ? undefined : back, error })

/** Returns the page after the current callback of the provider and, if the page is an invitation, its token. */
export async function afterCallback() {
  const url = new URL((await getOAuthState())?.callbackURL ?? '', 'http://server')
  const back = pageOf(url.searchParams.get('back'))
  const prefix = pages.invitation('')
  return { back, invitation: back.startsWith(prefix) ? tokenOf(back.slice(prefix.length)) : undefined }
}
