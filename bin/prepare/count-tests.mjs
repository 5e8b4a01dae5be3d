import { relative } from 'node:path'

/** The reason for the failure of a test run in which no test ran. */
export const NO_TEST = 'No test ran.'

/**
 * Counts the tests of a run by the results of its files. These errors outside of tests count as failures, too: a file that
 * could not be loaded, an error outside any test, a run without tests, and a run that was killed.
 * @param files one entry for each finished file: `name`, `status`, and `assertionResults` with `status` and `fullName`
 * @param run `code`: the exit code of the runner; `killed`: it was killed; `root`: the folder to which file names are relative
 * @returns the number of passed and failed tests, the names of skipped tests in `notes`, and a further reason in `why`
 */
export function countTests(files, { code, killed = false, root }) {
  const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ file: file.name, ...test })))
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length
  const broken = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  )
  const notes = tests
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map((test) => `${relative(root, test.file)}: ${test.fullName}`)
  const passed = count('passed')
  let failed = count('failed') + broken.length
  let why = ''
  if (killed) {
    failed += 1
    why = `\nThe run was killed. ${files.length} test files had finished.`
  } else if (passed + failed === 0) {
    failed = 1
    why = `\n${NO_TEST}`
  } else if (failed === 0 && code !== 0) {
    failed = 1
    why = `\nNo test failed, but the run ended with exit code ${code}.`
  }
  return { passed, failed, skipped: notes.length, notes, why }
}
