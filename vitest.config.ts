import { defineConfig } from 'vitest/config'

/**
 * Projects, one for each depth: `unit` (pure rules beside the code, and the laws), `api` (a whole server over
 * HTTP, on the embedded database or on TEST_DATABASE_URL), `e2e` (the same with a browser).
 * Servers and browsers are heavy and the machines small, so those two run a few files at a time. A fourth, `hostile`, is the
 * long form of the tests of bad input, faults and load. Starting a process for each file is half the time of unit tests, and
 * some of the browser's: there, files follow one another in the same one.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{server,shared,web,bin}/**/*.test.{ts,tsx,mjs}', 'tests/{laws,helpers}/**/*.test.{ts,mjs}'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          globalSetup: ['tests/helpers/programs.ts', 'tests/helpers/database-template.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: [
            'tests/helpers/programs.ts',
            'tests/helpers/one-browser.ts',
            'tests/helpers/database-template.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
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
    // What is waited for may take its time on a busy machine; nothing waits longer than it must.
    expect: { requireAssertions: true, poll: { timeout: 30_000, interval: 50 } },
  },
})
