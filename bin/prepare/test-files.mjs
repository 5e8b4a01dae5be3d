/**
 * API tests that also run on the embedded database: crashes and the main queries. The other tests use the same schema and
 * driver. `npm run test:hostile` runs all API tests on it.
 */
const ON_EMBEDDED = ['crash', 'documents', 'embedded', 'projects-documents']

/**
 * Long test files that only `npm run test:hostile` runs. Shorter tests cover the same features: a browser test the processing
 * of a paper, the job tests two servers, the unit tests of the extraction bad PDFs, and the tests of upgrades each
 * migration. Only the evaluation of models has no shorter test.
 */
const LONG_FILES = ['evaluate', 'hostile-files', 'main-line', 'migration-kills', 'two-servers', 'two-servers-mail']
/** Test files of which `npm test` runs a sample and the long run everything. */
const SAMPLED_FILES = ['strange-input', 'upgrade']

/** Returns the command-line arguments of vitest that exclude the long API tests. */
export function withoutLongFiles() {
  return LONG_FILES.map((name) => `--exclude=tests/api/${name}.test.ts`)
}

/** Returns the paths of the API tests that `npm run test:hostile` runs. */
export function longFiles() {
  return [...LONG_FILES, ...SAMPLED_FILES].map((name) => `tests/api/${name}.test.ts`)
}

/**
 * Returns the command-line arguments of vitest that select the API tests for the embedded database. Without a
 * PostgreSQL server these are all tests except the long ones.
 */
export function embeddedFiles(withoutPostgres) {
  return withoutPostgres ? withoutLongFiles() : ON_EMBEDDED.map((name) => `tests/api/${name}.test.ts`)
}
