import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest test files, in the order of their start. They start first, because they mostly wait: a run would take longer if
 * one of them started last.
 */
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

/** Starts the test files of LONG first, and the other files in the default order of vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
