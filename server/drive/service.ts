import { asActor } from '#server/db/client.ts'
import { createDocument, receivePdfStream } from '#server/documents/index.ts'
import { downloadFile, exchangeCode, listFolder } from '#server/external/index.ts'
import { env, publicUrl } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { checkProject } from '#server/projects/index.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { DRIVE_AUTH_FAILED, DRIVE_FILE_INVALID, DRIVE_NOT_AUTHORIZED, type DriveFile } from '#shared/contract/drive.ts'
import { pages } from '#shared/contract/paths.ts'
import { noteScan } from './note-scan.ts'

/** The OAuth scope that Lectern requests: read-only access to the files of the drive. */
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'

const requireSetUp = () => {
  if (!env.GOOGLE_CLIENT_ID) throw new AppError('not_configured', 'Google Drive is not set up on this installation.')
}

/** Returns the settings that a browser needs to request authorization from Google; null if Drive is not set up. */
export const driveSettings = () =>
  env.GOOGLE_CLIENT_ID ? { auth_url: env.GOOGLE_AUTH_URL, client_id: env.GOOGLE_CLIENT_ID, scope: SCOPE } : null

/**
 * Exchanges the authorization code of the callback for an access token, which is not stored. Returns the token and the files of
 * the root folder.
 */
export async function openDrive(
  input: { code?: string | undefined; redirectUri?: string | undefined; codeVerifier?: string | undefined },
  signal: AbortSignal,
): Promise<{ files: DriveFile[]; accessToken: string }> {
  requireSetUp()
  const { code, redirectUri, codeVerifier } = input
  if (!code) throw new AppError('refused', 'No authorization code received from Google')
  // The code is bound to its redirect address, which must be this application's page.
  const own = new URL(publicUrl() + pages.driveCallback()).href
  if (URL.parse(redirectUri ?? '')?.href !== own) throw new AppError('refused', DRIVE_AUTH_FAILED)
  const accessToken = await exchangeCode({ code, redirectUri: own, codeVerifier, signal })
  return { accessToken, files: await listFolder(accessToken, 'root', signal) }
}

/**
 * Returns the folders and PDF files of a folder, or of the root folder without a folder id. Throws 'not_configured' if Drive is
 * not set up, and 'refused' for a missing or expired token.
 */
export function listDrive(accessToken: string | undefined, folderId: string | undefined, signal: AbortSignal) {
  requireSetUp()
  return listFolder(tokenOrThrow(accessToken), folderId || 'root', signal)
}

/**
 * Imports a PDF from Google Drive as a new document with the status 'pending', and returns the document. The field
 * `text_warning` of the document is set if the PDF has no text. Throws 'not_configured' if Drive is not set up, and 'refused'
 * if the file is not a PDF.
 */
export async function importFromDrive(
  actor: Actor,
  input: { project_id: string; access_token: string; file_id: string; file_name: string },
  signal: AbortSignal,
): Promise<DocumentDetail> {
  requireSetUp()
  // Checked before the download.
  await asActor(actor, (tx) => checkProject(tx, input.project_id, 'edit'))
  const body = await openDriveFile(input.access_token, input.file_id, signal)
  // A file of the drive may have any name. Its content is checked instead.
  const name = /\.pdf$/i.test(input.file_name) ? input.file_name : `${input.file_name}.pdf`
  const file = await receivePdfStream(body, name, { project_id: input.project_id }).catch((error: unknown) => {
    if (error instanceof AppError && error.code !== 'wrong_type') throw error
    throw new AppError(error instanceof AppError ? 'refused' : 'outside_failed', DRIVE_FILE_INVALID, {
      cause: error,
    })
  })
  try {
    return await noteScan(actor, await createDocument(actor, file, 'drive'), signal)
  } finally {
    await file.remove()
  }
}

/**
 * Returns the content of a file in Google Drive as a stream. The stream ends with an error when `signal` is aborted or the
 * download exceeds its time limit. Throws 'not_configured' if Drive is not set up, and 'refused' for a missing file id or
 * token.
 */
export function openDriveFile(
  accessToken: string | undefined,
  fileId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  requireSetUp()
  if (!fileId) throw new AppError('refused', DRIVE_FILE_INVALID)
  return downloadFile(tokenOrThrow(accessToken), fileId, signal)
}

/**
 * Matches a valid access token (RFC 6750, 2.1). Tokens with other characters are refused, because they cannot be sent in a
 * header: the failed requests would count as an outage of Google and block all users.
 */
const TOKEN = /^[\w.~+/=-]+$/

function tokenOrThrow(accessToken: string | undefined): string {
  if (!accessToken || !TOKEN.test(accessToken)) throw new AppError('refused', DRIVE_NOT_AUTHORIZED)
  return accessToken
}
