import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take longest, mostly because they wait. A file of these that starts last would lengthen the run. */
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
  'new-room',
  'every-screen',
  'reader',
  'main-line',
  'crash',
]
const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.indexOf(basename(moduleId).replace(/\.test\.\w+$/, ''))
  return at === -1 ? LONG.length : at
}

/** Starts the test files that take longest first, and the others in vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
