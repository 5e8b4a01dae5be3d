/** Finds test files by a part of their path. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The test projects of vitest.config.ts that `npm test` runs, and the folders of their files. */
const FOLDERS = {
  unit: ['server', 'shared', 'web', 'bin', 'tests/laws', 'tests/helpers'],
  api: ['tests/api'],
  e2e: ['tests/e2e'],
}

/**
 * Returns the test files with one of these words in their path, by project: `{ e2e: ['tests/e2e/upload.test.ts'] }`. Projects
 * without such a file are left out. Paths are relative to `root` and have forward slashes.
 */
export function namedTests(root, words) {
  const found = {}
  for (const [project, folders] of Object.entries(FOLDERS)) {
    const files = folders
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
      )
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /\.test\.(tsx?|mjs)$/.test(path) && words.some((word) => path.includes(word)))
    if (files.length > 0) found[project] = files.toSorted((a, b) => a.localeCompare(b))
  }
  return found
}
