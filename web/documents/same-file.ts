import { sameFile } from '#shared/documents.ts'
import type { SameFile } from '#shared/documents.ts'
import { z } from 'zod'
import { api } from '#shared/paths.ts'
import { one, request } from '#web/lib/api.ts'

/** The digest of a file's content; null where it cannot be computed. */
export async function digestOf(file: File): Promise<string | null> {
  // Only pages over HTTPS or on localhost may compute digests.
  if (!window.isSecureContext) return null
  try {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  } catch {
    return null
  }
}

/** The first document that has the very same file; null where there is none, or where it cannot be found out. */
export async function findSameFile(hash: string): Promise<SameFile | null> {
  try {
    const [first] = await request(api.documentsSameFile(hash), { schema: one(z.array(sameFile)) })
    return first ?? null
  } catch {
    // A hint only: the upload itself says what is wrong.
    return null
  }
}
