import { asActor } from '#server/db/client.ts'
import { createDocument, receivePdfStream } from '#server/documents/index.ts'
import { downloadFile, exchangeCode, listFolder } from '#server/external/index.ts'
import { env, publicUrl } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/lib/session.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import type { DocumentRow } from '#shared/documents.ts'
import { DRIVE_AUTH_FAILED, DRIVE_FILE_INVALID, DRIVE_NOT_AUTHORISED, type DriveFile } from '#shared/drive.ts'
import { pages } from '#shared/paths.ts'
import { noteScan } from './note-scan.ts'

/** A download may take this long altogether; a drive that trickles bytes does not hold a connection for ever. */
const DOWNLOAD_MS = 15 * 60_000
/** Reading files, and nothing else of the drive. */
const SCOPE = 'https://www.googleapis.com/auth/drive.readonly'

const requireSetUp = () => {
  if (!env.GOOGLE_CLIENT_ID) throw new AppError('not_configured', 'Google Drive is not set up on this installation.')
}

/** What a browser needs to ask Google for an authorisation, or null where Drive is not set up. */
export const driveSettings = () =>
  env.GOOGLE_CLIENT_ID ? { auth_url: env.GOOGLE_AUTH_URL, client_id: env.GOOGLE_CLIENT_ID, scope: SCOPE } : null

/** Turns the code of the callback into an access token, which is not kept here, and the files of the drive's root. */
export async function openDrive(
  input: { code?: string | undefined; redirectUri?: string | undefined; codeVerifier?: string | undefined },
  signal: AbortSignal,
): Promise<{ files: DriveFile[]; accessToken: string }> {
  requireSetUp()
  const { code, redirectUri, codeVerifier } = input
  if (!code) throw new AppError('refused', 'No authorization code received from Google')
  // The code is bound to the address it was sent to, which is this application's own page.
  const own = new URL(publicUrl() + pages.driveCallback()).href
  if (URL.parse(redirectUri ?? '')?.href !== own) throw new AppError('refused', DRIVE_AUTH_FAILED)
  const accessToken = await exchangeCode({ code, redirectUri: own, codeVerifier, signal })
  return { accessToken, files: await listFolder(accessToken, 'root', signal) }
}

/** The folders and PDF files of one folder. */
export function listDrive(accessToken: string | undefined, folderId: string | undefined, signal: AbortSignal) {
  requireSetUp()
  return listFolder(tokenOrThrow(accessToken), folderId || 'root', signal)
}

/** Streams one PDF of the drive into a new, pending document of the project; `text_warning` says when it has no text. */
export async function importFromDrive(
  actor: Actor,
  input: { project_id: string; access_token: string; file_id: string; file_name: string },
  signal: AbortSignal,
): Promise<DocumentRow> {
  requireSetUp()
  // Looked at before anything is fetched.
  await asActor(actor, (tx) => projectOrThrow(tx, input.project_id))
  const body = await openDriveFile(input.access_token, input.file_id, signal)
  // A drive's file has any name; here it is known to be a PDF by its content.
  const name = /\.pdf$/i.test(input.file_name) ? input.file_name : `${input.file_name}.pdf`
  const file = await receivePdfStream(body, name, { project_id: input.project_id }).catch((error: unknown) => {
    if (error instanceof AppError && error.code !== 'wrong_type') throw error
    throw new AppError(error instanceof AppError ? 'refused' : 'outside_failed', DRIVE_FILE_INVALID, {
      cause: error,
    })
  })
  try {
    return await noteScan(actor, await createDocument(actor, file), signal)
  } finally {
    await file.remove()
  }
}

/** The bytes of a drive's file, ended when `signal` fires or a download takes too long. */
export function openDriveFile(
  accessToken: string | undefined,
  fileId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  requireSetUp()
  if (!fileId) throw new AppError('refused', DRIVE_FILE_INVALID)
  return downloadFile(tokenOrThrow(accessToken), fileId, AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]))
}

/** What a token is made of (RFC 6750, 2.1). Anything else could not be sent, and would look as if Google were down, for everybody. */
const TOKEN = /^[\w.~+/=-]+$/

function tokenOrThrow(accessToken: string | undefined): string {
  if (!accessToken || !TOKEN.test(accessToken)) throw new AppError('refused', DRIVE_NOT_AUTHORISED)
  return accessToken
}
