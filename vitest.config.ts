import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/helpers/longest-first.ts'

/**
 * Maximum number of test files of `api`, and of `e2e`, that run at the same time. It is one more than the number of cores,
 * because tests often wait for heartbeats, polls and slow services. With one file for each core, the cores were idle for two
 * thirds of the last eight minutes of `npm test`. With more files, the waits in the tests get longer.
 */
const FILES_AT_ONCE = Math.min(4, availableParallelism() + 1)

/**
 * Test projects: `unit` (pure rules beside the code, and the laws), `api` (a whole server over HTTP, on the embedded database
 * or on TEST_DATABASE_URL), `e2e` (a whole server with a browser) and `hostile` (long tests of bad input, faults and load).
 * `api` and `e2e` run only a few files at a time, because servers and browsers are heavy. `isolate: false` runs several files
 * in one process, because starting a process for each file takes half the time of the unit tests. The time limits are for a
 * busy machine.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{server,shared,web,bin}/**/*.test.{ts,tsx,mjs}', 'tests/{laws,helpers}/**/*.test.{ts,mjs}'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          globalSetup: ['tests/helpers/programs.ts', 'tests/helpers/database-template.ts'],
          // Files share processes, but not the modules of the server that they load.
          setupFiles: ['tests/helpers/reset-modules.ts'],
          testTimeout: 600_000,
          hookTimeout: 240_000,
          maxWorkers: FILES_AT_ONCE,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/helpers/programs.ts', 'tests/helpers/database-template.ts'],
          testTimeout: 600_000,
          hookTimeout: 300_000,
          maxWorkers: FILES_AT_ONCE,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'hostile',
          include: ['tests/hostile/**/*.test.ts'],
          globalSetup: ['tests/helpers/programs.ts'],
          testTimeout: 3 * 3600_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
    environment: 'node',
    pool: 'forks',
    passWithNoTests: false,
    sequence: { sequencer: LongestFirst },
    // The timeout is long for busy machines. A poll ends as soon as its condition holds. Each poll takes processor time, mostly
    // that of a request.
    expect: { requireAssertions: true, poll: { timeout: 180_000, interval: 150 } },
  },
})
