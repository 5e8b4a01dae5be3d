import { describe, expect, it } from 'vitest'
import { countTests } from './count-tests.mjs'

const file = (status, ...statuses) => ({
  name: '/repo/server/x.test.ts',
  status,
  assertionResults: statuses.map((one, index) => ({ status: one, fullName: `test ${index}` })),
})
const count = (code, ...testResults) => countTests(testResults, { code, root: '/repo' })

describe('countTests', () => {
  it('countTests counts passed and failed tests and names skipped ones', () => {
    const counts = count(1, file('failed', 'passed', 'failed'), file('passed', 'passed', 'pending', 'todo'))
    expect(counts).toMatchObject({ passed: 2, failed: 1, skipped: 2, why: '' })
    expect(counts.notes).toEqual(['server/x.test.ts: test 1', 'server/x.test.ts: test 2'])
  })

  it('countTests counts a file that could not be loaded as one failure', () => {
    expect(count(1, file('failed'), file('passed', 'passed'))).toMatchObject({ passed: 1, failed: 1 })
  })

  it('countTests counts a run without tests as a failure', () => {
    expect(count(0)).toMatchObject({ passed: 0, failed: 1 })
    expect(count(0, file('passed', 'skipped'))).toMatchObject({ passed: 0, failed: 1, skipped: 1 })
  })

  it('countTests counts an error outside any test as a failure', () => {
    expect(count(1, file('passed', 'passed'))).toMatchObject({ passed: 1, failed: 1 })
  })

  it('countTests counts the tests that passed before a run was killed, and the kill as a failure', () => {
    const counts = countTests([file('passed', 'passed', 'passed')], { code: 1, killed: true, root: '/repo' })
    expect(counts).toMatchObject({ passed: 2, failed: 1, why: expect.stringContaining('1 test files had finished') })
  })
})
