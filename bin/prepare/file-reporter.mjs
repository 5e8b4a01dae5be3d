import { appendFileSync } from 'node:fs'

/**
 * A reporter for vitest. Appends one line of JSON for each test file that has finished to the file that LECTERN_TEST_RESULTS
 * names, in the form of an entry of `testResults` of the JSON report. A killed run leaves the results of the files that had
 * finished.
 */
export default class FileReporter {
  onTestModuleEnd(module) {
    const assertionResults = [...module.children.allTests()].map((test) => ({
      fullName: test.fullName,
      status: test.result().state,
    }))
    const line = { name: module.moduleId, status: module.ok() ? 'passed' : 'failed', assertionResults }
    appendFileSync(process.env['LECTERN_TEST_RESULTS'], `${JSON.stringify(line)}\n`)
  }
}
