import { appendFileSync } from 'node:fs'

/**
 * A reporter for vitest. When a test file has finished, it appends one line of JSON to the file at the path
 * LECTERN_TEST_RESULTS. The line has the form of an entry of `testResults` in vitest's JSON report. A killed run leaves the
 * results of the finished files.
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
