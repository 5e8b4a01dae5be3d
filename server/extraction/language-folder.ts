import { copyFile, mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OcrLanguage } from './ocr-languages.ts'

/** The running copies by their target path. Two jobs that need the same file wait for one copy. */
const copies = new Map<string, Promise<void>>()

/**
 * Copies the data files of the languages into one folder, because Tesseract.js reads all of them from one folder. The copies
 * stay in the folder: a worker that is terminated cannot remove them.
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

/**
 * Copies a file if the target is missing, older or of another size. Writes to another name first and renames the copy, because
 * another server with this folder can read the target meanwhile.
 */
async function copyIfChanged(file: string, target: string): Promise<void> {
  const [source, old] = await Promise.all([stat(file), stat(target).catch(() => null)])
  if (old && old.size === source.size && old.mtimeMs >= source.mtimeMs) return
  const unfinished = `${target}.${process.pid}`
  await copyFile(file, unfinished)
  await rename(unfinished, target)
}
