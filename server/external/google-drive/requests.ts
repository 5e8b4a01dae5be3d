import { env } from '#server/lib/env.ts'
import { AppError, rephrase } from '#server/lib/errors.ts'
import {
  DRIVE_AUTH_FAILED,
  DRIVE_FILE_INVALID,
  DRIVE_FOLDER,
  DRIVE_LIST_FAILED,
  DRIVE_NOT_AUTHORIZED,
  type DriveFile,
} from '#shared/contract/drive.ts'
import { type CallOptions, createService, PERSON_WAITS_MS, readJson } from '../service.ts'
import { fileList, tokenAnswer } from './wire.ts'

const NAME = 'Google Drive'
const service = createService(NAME, 6)
const PAGE_SIZE = 1000
/** Time limit of a whole download. Ends a connection that sends too slowly. */
const DOWNLOAD_MS = 15 * 60_000
/** Maximum number of pages that are read of a folder. A page has 1,000 entries. Entries beyond the last page are omitted. */
const MAX_PAGES = 20
/**
 * Matches a valid id of Google Drive. Any other id is refused, because its characters could change the query or path of a
 * request.
 */
const ID = /^[\w-]{1,200}$/

/**
 * Exchanges an authorization code of Google (OAuth) for an access token, which it returns. Throws AppError 'outside_failed',
 * 'outside_slow' or 'too_many' with a message that begins with DRIVE_AUTH_FAILED, or the reason of `signal`.
 */
export async function exchangeCode(input: {
  code: string
  redirectUri: string
  codeVerifier?: string | undefined
  signal: AbortSignal
}): Promise<string> {
  try {
    const response = await service.call(new URL(env.GOOGLE_TOKEN_URL), {
      method: 'POST',
      signal: input.signal,
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: input.code,
        redirect_uri: input.redirectUri,
        client_id: env.GOOGLE_CLIENT_ID ?? '',
        client_secret: env.GOOGLE_CLIENT_SECRET ?? '',
        ...(input.codeVerifier ? { code_verifier: input.codeVerifier } : {}),
      }),
    })
    if (response.ok) return (await readJson(NAME, response, tokenAnswer)).access_token
    await response.body?.cancel()
  } catch (error) {
    throw withWords(DRIVE_AUTH_FAILED, error)
  }
  throw new AppError('outside_failed', DRIVE_AUTH_FAILED)
}

/** Puts `words` before the message of an AppError. Returns every other error unchanged. */
function withWords(words: string, error: unknown): unknown {
  return error instanceof AppError ? rephrase(error, `${words}. ${error.message}`) : error
}

/**
 * Returns the folders and PDF files of a folder ('root' is the top of the drive), folders first, by name. Throws 'refused' for
 * an invalid folder id and for an expired authorization.
 */
export async function listFolder(accessToken: string, folderId: string, signal: AbortSignal): Promise<DriveFile[]> {
  if (!ID.test(folderId)) throw new AppError('refused', 'This is not a folder of Google Drive.')
  const files: DriveFile[] = []
  let pageToken: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const url = new URL(`${env.GOOGLE_DRIVE_URL}/files`)
    const kinds = `mimeType = 'application/pdf' or mimeType = '${DRIVE_FOLDER}'`
    url.searchParams.set('q', `'${folderId}' in parents and trashed = false and (${kinds})`)
    url.searchParams.set('fields', 'nextPageToken, files(id, name, mimeType, size)')
    url.searchParams.set('orderBy', 'folder,name_natural')
    url.searchParams.set('pageSize', String(PAGE_SIZE))
    url.searchParams.set('supportsAllDrives', 'true')
    url.searchParams.set('includeItemsFromAllDrives', 'true')
    if (pageToken) url.searchParams.set('pageToken', pageToken)
    const answer = await readPage(url, accessToken, signal)
    files.push(
      ...answer.files.map(({ size, ...file }) => ({ ...file, size: size === undefined ? null : Number(size) })),
    )
    // An unchanged page token would loop forever.
    if (!answer.nextPageToken || answer.nextPageToken === pageToken) break
    pageToken = answer.nextPageToken
  }
  return files
}

async function readPage(url: URL, accessToken: string, signal: AbortSignal) {
  const failed = (error: unknown) => {
    throw withWords(DRIVE_LIST_FAILED, error)
  }
  const response = await authorized(url, accessToken, signal).catch(failed)
  if (!response.ok) throw await refusalOf(response, DRIVE_LIST_FAILED)
  return readJson(NAME, response, fileList).catch(failed)
}

/**
 * Returns the content of a file in Google Drive as a stream, which the caller must read or cancel. The size is not limited.
 * Throws 'refused' for an invalid file id and for an expired authorization.
 */
export async function downloadFile(
  accessToken: string,
  fileId: string,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  if (!ID.test(fileId)) throw new AppError('refused', 'This is not a file of Google Drive.')
  const url = new URL(`${env.GOOGLE_DRIVE_URL}/files/${fileId}`)
  url.searchParams.set('alt', 'media')
  url.searchParams.set('supportsAllDrives', 'true')
  // The caller limits the size.
  const response = await authorized(url, accessToken, signal, { downloadMs: DOWNLOAD_MS, maxBytes: Infinity })
  if (!response.ok) throw await refusalOf(response, DRIVE_LIST_FAILED)
  if (!response.body) throw new AppError('outside_failed', DRIVE_FILE_INVALID)
  return response.body
}

const authorized = (url: URL, accessToken: string, signal: AbortSignal, limits: CallOptions = {}) =>
  service.call(url, {
    signal,
    withinMs: PERSON_WAITS_MS,
    headers: { authorization: `Bearer ${accessToken}` },
    ...limits,
  })

/**
 * Returns the error for a failed response: 'refused' for 401, which means that the authorization has expired, else
 * 'outside_failed' with the message `words`.
 */
async function refusalOf(response: Response, words: string): Promise<AppError> {
  await response.body?.cancel()
  if (response.status === 401) return new AppError('refused', DRIVE_NOT_AUTHORIZED)
  return new AppError('outside_failed', words, { cause: new Error(`${NAME} answered ${response.status}`) })
}
