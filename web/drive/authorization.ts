import { driveSettings } from '#shared/contract/drive.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { one, request } from '#web/lib/api.ts'

const STORED = 'lectern.drive'
const pending = z.object({ state: z.string(), verifier: z.string(), projectId: z.string().nullable() })

/** Google Drive settings; null when Google Drive is not configured. */
export const driveQuery = queryOptions({
  queryKey: ['drive'],
  queryFn: ({ signal }) => request(api.drive(), { schema: one(driveSettings), signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/**
 * Returns the URL of this app to which Google redirects the browser after the user has authorized the access to Google Drive.
 */
export const redirectUri = () => `${window.location.origin}${pages.driveCallback()}`

/**
 * Redirects to Google's authorization page for read access (authorization code flow with state and PKCE: RFC 6749, RFC
 * 7636). State and verifier are stored in this tab.
 */
export async function startAuthorization(
  settings: { auth_url: string; client_id: string; scope: string },
  projectId: string | null,
): Promise<void> {
  const state = randomText()
  const verifier = randomText()
  sessionStorage.setItem(STORED, JSON.stringify({ state, verifier, projectId } satisfies z.input<typeof pending>))
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

/**
 * Returns the authorization request for Google Drive that this tab stored, or null if the tab made none. Removes the request
 * from the store, so that a replayed response of Google fails.
 */
export function takePending(): z.output<typeof pending> | null {
  const stored = sessionStorage.getItem(STORED)
  sessionStorage.removeItem(STORED)
  const parsed = pending.safeParse(JSON.parse(stored ?? 'null'))
  return parsed.success ? parsed.data : null
}

const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(32)).buffer)

const base64Url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
