import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { hasVision } from '#server/ai/index.ts'
import { SettingError } from '#server/lib/dot-env.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'

/** A language of the built-in OCR: its Tesseract code, and the file with its data. The file can be compressed by gzip. */
export interface OcrLanguage {
  code: string
  file: string
}

/** The folder in the npm packages that has the quantized model for the LSTM engine. */
const MODEL = '4.0.0_best_int'
/** Index of the LSTM model in the table at the start of a data file. */
const LSTM_PART = 17

/** Codes of Tesseract data that are not a language: the orientation of pages (osd) and mathematical signs (equ). */
const NO_LANGUAGE = new Set(['osd', 'equ'])

let found: { standard: readonly OcrLanguage[]; installed: readonly OcrLanguage[] } | undefined

/**
 * Returns the languages of the setting OCR_LANGUAGES with their data files, which are in OCR_LANGUAGE_DIR or in the npm
 * packages. The first call, at the start of the server, searches for the files and throws a SettingError with the first
 * language that has no data.
 */
export const ocrLanguages = (): readonly OcrLanguage[] => findLanguages().standard

function findLanguages() {
  if (found) return found
  const standard = env.OCR_LANGUAGES.map((code) => ({ code, file: fileOf(code, env.OCR_LANGUAGE_DIR) }))
  const others = installedCodes()
    .filter((code) => !env.OCR_LANGUAGES.includes(code))
    .map((code) => ({ code, file: ownFile(code, env.OCR_LANGUAGE_DIR) ?? packagedFile(code) }))
    // A file for the older engine is an error only for a language of OCR_LANGUAGES.
    .filter((language): language is OcrLanguage => language.file !== null && hasLstmModel(language.file))
  return (found = { standard, installed: [...standard, ...others] })
}

/**
 * Returns the codes of the languages from which a caller can choose: first those of OCR_LANGUAGES, then the other installed
 * languages. Returns [] if a vision model is configured, which needs no choice.
 */
export const ocrChoices = (): string[] => (hasVision() ? [] : findLanguages().installed.map(({ code }) => code))

/** Returns the codes of OCR_LANGUAGES, which OCR uses by default. Returns [] if a vision model is configured. */
export const ocrStandard = (): string[] => (hasVision() ? [] : [...env.OCR_LANGUAGES])

/** Returns those of the requested languages that are installed. If there are none, returns the languages of OCR_LANGUAGES. */
export function languagesFor(wanted: readonly string[] | undefined): readonly OcrLanguage[] {
  const chosen = findLanguages().installed.filter(({ code }) => wanted?.includes(code))
  return chosen.length > 0 ? chosen : ocrLanguages()
}

/**
 * Throws 'refused' if any of the requested languages is not installed for the built-in OCR. Accepts all languages if a vision
 * model is configured.
 */
export function checkLanguages(wanted: readonly string[] | undefined): void {
  const known = ocrChoices()
  const unknown = known.length === 0 ? undefined : wanted?.find((code) => !known.includes(code))
  if (unknown !== undefined)
    throw new AppError(
      'refused',
      `ocr_languages: The OCR of this server reads ${known.join(', ')}, and not "${unknown}".`,
    )
}

function fileOf(code: string, folder: string | undefined): string {
  const own = ownFile(code, folder)
  if (own !== null && !hasLstmModel(own))
    throw new SettingError(`OCR_LANGUAGE_DIR: ${own} has no data for the LSTM engine of Tesseract 4 or newer.`)
  if (own !== null) return own
  const packaged = packagedFile(code)
  if (packaged !== null) return packaged
  throw new SettingError(
    `OCR_LANGUAGES: the data of the language "${code}" is missing. Run "npm install @tesseract.js-data/${code}", or put ${code}.traineddata into the folder OCR_LANGUAGE_DIR.`,
  )
}

/** Returns the codes of the languages that have data in an npm package or in OCR_LANGUAGE_DIR, in alphabetical order. */
function installedCodes(): string[] {
  const packages = readdirSync(dirname(packageFolder('eng')))
  const files = env.OCR_LANGUAGE_DIR === undefined ? [] : namesIn(env.OCR_LANGUAGE_DIR)
  const own = files.flatMap((name) => /^(\w+)\.traineddata(\.gz)?$/.exec(name)?.[1] ?? [])
  return [...new Set([...packages, ...own])].filter((code) => !NO_LANGUAGE.has(code)).toSorted()
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

function ownFile(code: string, folder: string | undefined): string | null {
  const files =
    folder === undefined ? [] : ['traineddata', 'traineddata.gz'].map((end) => join(folder, `${code}.${end}`))
  return files.find((file) => existsSync(file)) ?? null
}

const packageFolder = (code: string) =>
  dirname(createRequire(import.meta.url).resolve(`@tesseract.js-data/${code}/package.json`))

function packagedFile(code: string): string | null {
  try {
    const file = join(packageFolder(code), MODEL, `${code}.traineddata.gz`)
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}

/**
 * Returns whether a Tesseract data file has a model for the LSTM engine. The file starts with the number of its parts (int32)
 * and their offsets (int64 each); the offset -1 means that a part is missing.
 */
function hasLstmModel(file: string): boolean {
  try {
    const stored = startOf(file)
    const data = file.endsWith('.gz') ? gunzipSync(stored, { finishFlush: constants.Z_SYNC_FLUSH }) : stored
    return data.readInt32LE(0) > LSTM_PART && data.readBigInt64LE(4 + 8 * LSTM_PART) > 0n
  } catch {
    return false
  }
}

/** Returns the first 16 KB of a file. They contain the whole table of parts, even if the file is compressed. */
function startOf(file: string): Buffer {
  const bytes = Buffer.alloc(16 * 1024)
  const opened = openSync(file, 'r')
  try {
    return bytes.subarray(0, readSync(opened, bytes))
  } finally {
    closeSync(opened)
  }
}
