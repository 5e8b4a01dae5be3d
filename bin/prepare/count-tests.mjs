import { relative } from 'node:path'

/**
 * Counts the tests of one run by its report, and finds failures that no test has to show for: a file that could not be
 * loaded, an error outside any test, a run in which nothing ran.
 * @param told the runner's JSON report
 * @param code the runner's exit code
 * @param root the folder that the names of files are told from
 * @returns how many passed and failed, the skipped ones by name in `notes`, and in `why` what the output does not say
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
