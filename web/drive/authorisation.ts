import { driveSettings } from '#shared/drive.ts'
import { api, pages } from '#shared/paths.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { one, request } from '#web/lib/api.ts'

const STORED = 'lectern.drive'
const asked = z.object({ state: z.string(), verifier: z.string(), projectId: z.string().nullable() })

/** Whether and where Google Drive can be asked; null where it is not set up. */
export const driveQuery = queryOptions({
  queryKey: ['drive'],
  queryFn: ({ signal }) => request(api.drive(), { schema: one(driveSettings), signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Where Google sends the browser back to. */
export const redirectUri = () => `${window.location.origin}${pages.driveCallback()}`

/**
 * Leaves for Google's own page to ask for read access (authorisation code flow with state and PKCE: RFC 6749, RFC 7636).
 * What proves that the answer is ours stays in this tab.
 */
export async function startAuthorisation(
  settings: { auth_url: string; client_id: string; scope: string },
  projectId: string | null,
): Promise<void> {
  const state = randomText()
  const verifier = randomText()
  sessionStorage.setItem(STORED, JSON.stringify({ state, verifier, projectId } satisfies z.input<typeof asked>))
  const url = new URL(settings.auth_url)
  const params = {
    client_id: settings.client_id,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: settings.scope,
    state,
    code_challenge: base64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))),
    code_challenge_method: 'S256',
    access_type: 'online',
    include_granted_scopes: 'false',
    prompt: 'select_account',
  }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  window.location.assign(url)
}

/** What was asked for, once: an answer that comes a second time proves nothing. Null when this tab asked for nothing. */
export function takeAsked(): z.output<typeof asked> | null {
  const stored = sessionStorage.getItem(STORED)
  sessionStorage.removeItem(STORED)
  const parsed = asked.safeParse(JSON.parse(stored ?? 'null'))
  return parsed.success ? parsed.data : null
}

const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(32)).buffer)

const base64Url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
