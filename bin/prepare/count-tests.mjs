import { relative } from 'node:path'

/**
 * Counts the tests of a run by its report. Also counts failures outside tests: a file that could not be loaded, an error
 * outside any test, a run without tests.
 * @param told the JSON report of the runner
 * @param code the exit code of the runner
 * @param root the folder to which file names are relative
 * @returns the number of passed and failed tests, the names of skipped tests in `notes`, and a further reason in `why`
 */
export function countTests(told, code, root) {
  const tests = told.testResults.flatMap((file) => file.assertionResults.map((test) => ({ file: file.name, ...test })))
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length
  const broken = told.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  )
  const notes = tests
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map((test) => `${relative(root, test.file)}: ${test.fullName}`)
  const passed = count('passed')
  let failed = count('failed') + broken.length
  let why = ''
  if (passed + failed === 0) {
    failed = 1
    why = '\nNo test ran.'
  } else if (failed === 0 && code !== 0) {
    failed = 1
    why = `\nNo test failed, but the run ended with exit code ${code}.`
  }
  return { passed, failed, skipped: notes.length, notes, why }
}
