import { z } from 'zod'
import { sameFile } from '#shared/contract/document-list.ts'
import type { SameFile } from '#shared/contract/document-list.ts'
import { api } from '#shared/contract/paths.ts'
import { one, request } from '#web/lib/api.ts'

/**
 * Returns the SHA-256 digest of a file as hexadecimal text; null if it cannot be calculated, for example on pages without
 * HTTPS.
 */
export async function digestOf(file: File): Promise<string | null> {
  // Browsers compute digests only on HTTPS or localhost.
  if (!window.isSecureContext) return null
  try {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  } catch {
    return null
  }
}

/**
 * Returns the oldest document that the user may see and whose file has the SHA-256 digest `hash`. Returns null if there is none
 * or the request fails.
 */
export async function findSameFile(hash: string): Promise<SameFile | null> {
  try {
    const [first] = await request(api.documentsSameFile(hash), { schema: one(z.array(sameFile)) })
    return first ?? null
  } catch {
    // Only a hint: the upload itself reports errors.
    return null
  }
}
