/**
 * API test files that `npm test` runs on the embedded database: the crash test and the tests of the embedded database itself.
 * The other API tests run on PostgreSQL, which has the same schema and driver. `npm run test:hostile` runs all API tests on the
 * embedded database.
 */
const ON_EMBEDDED = ['crash', 'embedded']

/**
 * Long test files that only `npm run test:hostile` runs. Shorter tests cover the same features: the processing of a paper (a
 * browser test), two servers and a database that cuts its connection (the job tests), bad PDFs (the unit tests of the
 * extraction), each migration (the tests of upgrades), OCR (the tests of automatic extraction), and an owner without the rights
 * of a superuser (all tests on PostgreSQL). Only the evaluation of models and lines of 40 MB have no shorter test.
 */
const LONG_FILES = [
  'database-rights',
  'evaluate',
  'faults',
  'hostile-files',
  'long-lines',
  'main-line',
  'migration-kills',
  'ocr-languages',
  'reference-upgrade',
  'two-servers',
  'two-servers-mail',
]
/**
 * API test files of which `npm test` runs only a sample of the cases. `npm run test:hostile` runs all cases
 * (tests/helpers/long-run.ts).
 */
const SAMPLED_FILES = [
  'access',
  'answers',
  'attack-texts',
  'backup',
  'bulk',
  'device-cookie',
  'feed-refresh',
  'import-interruptions',
  'jobs',
  'mail',
  'maintenance',
  'metadata',
  'oidc',
  'storage-s3',
  'strange-input',
  'trash',
  'upgrade',
]

const without = (names) => names.map((name) => `--exclude=tests/api/${name}.test.ts`)

/** Returns the arguments of vitest that select the API tests which `npm test` runs on a PostgreSQL server. */
export const serverFiles = () => without([...LONG_FILES, ...ON_EMBEDDED])

/** Returns the paths of the API tests that `npm run test:hostile` runs. */
export function longFiles() {
  return [...LONG_FILES, ...SAMPLED_FILES].map((name) => `tests/api/${name}.test.ts`)
}

/**
 * Returns the arguments of vitest that select the API tests for the embedded database. If no PostgreSQL server is available,
 * these are all API tests except the long ones.
 */
export function embeddedFiles(withoutPostgres) {
  return withoutPostgres ? without(LONG_FILES) : ON_EMBEDDED.map((name) => `tests/api/${name}.test.ts`)
}
