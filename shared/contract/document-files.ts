import { z } from 'zod'
import { storableText } from '../text/storable-text.ts'
import { textWarning } from './documents.ts'
import { MAX_TEXT_CHARACTERS, TEXT_TOO_LARGE } from './text-limits.ts'

/** Error for a file that is not a PDF, by its name or by its content. */
export const NOT_A_PDF = 'This file is not a PDF. Only PDF files are accepted.'

/** Body of POST /api/documents/sample. */
export const sampleRequest = z.object({ project_id: z.uuid() })

/**
 * Returns the stored name of an upload: the time `at` in milliseconds since the epoch, an underscore, and the filename. Every
 * character except ASCII letters, digits, dot, underscore and hyphen becomes an underscore. A long filename is shortened.
 */
export function storedFileName(filename: string, at: Date): string {
  return `${at.getTime()}_${shortFileName(filename.replace(/[^A-Za-z0-9._-]/g, '_'))}`
}

/** Maximum characters of a filename: file systems allow 255 bytes for a name. The extension is preserved. */
const FILENAME_MAX = 200
const shortFileName = (name: string) =>
  name.length <= FILENAME_MAX ? name : name.slice(0, FILENAME_MAX - 8) + name.slice(-8)

/**
 * Returns the display name of an uploaded file, without control characters and bidirectional marks. Such marks make
 * `fdp.exe` look like `exe.pdf`. A long name is shortened; an empty name becomes 'document.pdf'.
 */
export function shownFileName(filename: string): string {
  const clean = filename
    .toWellFormed()
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim()
  return shortFileName(clean).toWellFormed() || 'document.pdf'
}

/** Text of a PDF, reduced to characters that the database can store. */
const pdfText = z.string().max(2000).transform(storableText)

/** Body of PUT /api/documents/{id}/text: the text that the browser extracted, with the metadata of the PDF. */
export const extractedByBrowser = z.object({
  extracted_text: z.string().max(MAX_TEXT_CHARACTERS, TEXT_TOO_LARGE).transform(storableText),
  method: z.enum(['text', 'ocr']).default('text'),
  warning: textWarning.nullable().optional(),
  page_count: z.number().int().min(1).max(100_000).nullable().optional(),
  metadata: z.record(z.string().max(40), pdfText).nullable().optional(),
  first_page: z
    .object({
      width: z.number(),
      height: z.number(),
      lines: z.array(z.object({ text: pdfText, size: z.number(), x: z.number(), y: z.number() })).max(1000),
      heads: z.array(pdfText).max(100).optional().describe('running heads and feet of all pages, each once'),
    })
    .nullable()
    .optional(),
})
