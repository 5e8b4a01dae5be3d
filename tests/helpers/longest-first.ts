import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest test files. They mostly wait, and a run would take longer if one of them started last. */
const LONG = [
  'jobs',
  'upgrade',
  'backup',
  'automatic-extraction',
  'mail',
  'access',
  'database-rights',
  'extraction',
  'faults',
  'ocr-languages',
  'every-screen',
  'reader',
  'main-line',
  'crash',
]
const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.indexOf(basename(moduleId).replace(/\.test\.\w+$/, ''))
  return at === -1 ? LONG.length : at
}

/** Starts the slowest test files first, and the others in the order of vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
