import { copyFile, mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OcrLanguage } from './ocr-languages.ts'

/** The copies in progress by their target path, so that two jobs do not write the same file. */
const copies = new Map<string, Promise<void>>()

/**
 * Copies the data of the languages into one folder, from which Tesseract.js reads them all. The copies are not removed: a worker
 * that is terminated could not remove a folder of its own.
 */
export async function fillLanguageFolder(folder: string, languages: readonly OcrLanguage[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(languages.map(({ code, file }) => copyOnce(file, join(folder, `${code}.traineddata.gz`))))
}

function copyOnce(file: string, target: string): Promise<void> {
  const known = copies.get(target)
  if (known) return known
  const copy = copyIfChanged(file, target).finally(() => copies.delete(target))
  copies.set(target, copy)
  return copy
}

/** Copies under another name first, because another server with this folder can read the file meanwhile. */
async function copyIfChanged(file: string, target: string): Promise<void> {
  const [source, old] = await Promise.all([stat(file), stat(target).catch(() => null)])
  if (old && old.size === source.size && old.mtimeMs >= source.mtimeMs) return
  const unfinished = `${target}.${process.pid}`
  await copyFile(file, unfinished)
  await rename(unfinished, target)
}
