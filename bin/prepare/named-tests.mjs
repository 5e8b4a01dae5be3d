/**
 * Chooses the steps of `npm test` from the words of the command line. Each word is the name of a step or a part of the path of
 * a test file. Returns the named steps. If there are parts of paths, each returned test step runs only the matching files,
 * which its `files()` returns. If only parts of paths are given, returns the steps that have matching files. Without words,
 * returns every step that is not `long`. Throws a SetupError if no file matches, or if a named test step has no matching file.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from './programs.mjs'

/** The test projects of vitest.config.ts that `npm test` runs, and the folders of their files. */
const FOLDERS = {
  unit: ['server', 'shared', 'web', 'bin', 'tests/laws', 'tests/helpers'],
  api: ['tests/api'],
  e2e: ['tests/e2e'],
}

/**
 * Returns the test files that have one of these words in their path, by test project: `{ e2e: ['tests/e2e/upload.test.ts'] }`.
 * Omits projects without such a file. Paths are relative to `root` and have forward slashes.
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

/**
 * Chooses the steps of `npm test`. Each of `words` is the name of a step or a part of a test file's path. Parts of paths
 * restrict the test steps to these files (`files`). Without words, returns every step that is not `long`. Throws a SetupError
 * if no file matches, or no file of a named step.
 */
export function chooseSteps(root, steps, words) {
  if (words.length === 0) return steps.filter(({ long }) => !long)
  const parts = words.filter((word) => !steps.some(({ name }) => name === word))
  const chosen = steps.filter(({ name }) => words.includes(name))
  if (parts.length === 0) return chosen
  const named = namedTests(root, parts)
  if (Object.keys(named).length === 0) {
    const names = steps.map(({ name }) => name).join(', ')
    throw new SetupError(
      `No step and no path of a test file has this name: ${parts.join(', ')}. The steps are: ${names}.`,
    )
  }
  const empty = chosen.find(({ project }) => project && !named[project])
  if (empty) throw new SetupError(`The step ${empty.name} has no test file with this in its path: ${parts.join(', ')}.`)
  const selected = chosen.some(({ project }) => project)
    ? chosen
    : steps.filter((step) => chosen.includes(step) || named[step.name])
  return selected.map((step) => (step.project ? { ...step, files: () => named[step.project] } : step))
}
