import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { EVALUATIONS_FOLDER, evaluation, type Evaluation } from '#shared/contract/evaluations.ts'

/**
 * Returns the evaluations of AI models that the command `npm run evaluate` has written to the data folder, latest first. Logs
 * and skips JSON files that are not such a result.
 */
export async function readEvaluations(): Promise<Evaluation[]> {
  const folder = join(env.DATA_DIR, EVALUATIONS_FOLDER)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const read = await Promise.all(names.filter((name) => name.endsWith('.json')).map((name) => readOne(folder, name)))
  return read
    .filter((result) => result !== null)
    .toSorted((a, b) => Date.parse(b.measured_at) - Date.parse(a.measured_at))
}

async function readOne(folder: string, name: string): Promise<Evaluation | null> {
  try {
    return evaluation.parse(JSON.parse(await readFile(join(folder, name), 'utf8')))
  } catch (error) {
    log.warn({ err: error, file: name }, 'a file of the evaluations cannot be read')
    return null
  }
}
