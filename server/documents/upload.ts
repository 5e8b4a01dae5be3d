import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { receiveForm, storeStream, temporaryPath } from '#server/http/receive-form.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { NOT_A_PDF, shownFileName } from '#shared/contract/document-files.ts'

/** A received file in a temporary folder. `remove` deletes that folder; always call it. */
export interface ReceivedFile {
  path: string
  filename: string
  size: number
  sha256: string
  fields: Record<string, string>
  remove(): Promise<void>
}

const tooLarge = () => new AppError('too_large', `The file is larger than ${env.MAX_UPLOAD_MB} MB.`)

/**
 * Throws 'wrong_type' if `head`, the first 1024 bytes of a file or more, has no PDF header. Other data can precede the header
 * (PDF 32000-1, Annex H).
 */
function checkHead(head: Buffer): void {
  if (!head.includes('%PDF-')) throw new AppError('wrong_type', NOT_A_PDF, { fields: { file: NOT_A_PDF } })
}

const pdfRules = () => ({ maxBytes: env.MAX_UPLOAD_MB * 1024 * 1024, tooLarge, checkHead })

/**
 * Streams the single file of a multipart body to disk, so that the file is never completely in memory. Small form fields can
 * precede or follow the file. Throws an error if the file has more than MAX_UPLOAD_MB, or if its content is not a PDF. Does not
 * check the name of the file.
 */
export async function receivePdf(request: Request): Promise<ReceivedFile> {
  const { files, fields, remove } = await receiveForm(request, {
    ...pdfRules(),
    maxFiles: 1,
    maxFields: 10,
    maxFieldBytes: 10_000,
    noFile: 'Please select one or more files to upload',
    tooManyFiles: 'Please send one file with each upload.',
    tooManyFields: 'The upload must contain one file and its project_id, and nothing else.',
  })
  return { ...files[0]!, fields, remove }
}

/**
 * Streams a PDF that does not come from a form, such as a file of Google Drive, to disk, so that the file is never completely
 * in memory. Throws an error if the file has more than MAX_UPLOAD_MB, or if its content is not a PDF. `filename` is the name of
 * the file at its source. `fields` are returned unchanged, like the fields of a form.
 */
export async function receivePdfStream(
  body: ReadableStream<Uint8Array>,
  filename: string,
  fields: Record<string, string>,
): Promise<ReceivedFile> {
  const path = await temporaryPath()
  const remove = () => rm(path, { force: true })
  try {
    const source = Readable.fromWeb(body as import('node:stream/web').ReadableStream)
    return { path, filename: shownFileName(filename), ...(await storeStream(source, path, pdfRules())), fields, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
