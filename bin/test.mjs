/**
 * `npm test`: runs every check and test step, and prints one line for each step and the totals. `npm test -- unit api` runs
 * only these steps. `npm test -- upload` runs the test files with 'upload' in their path, and `-t 'part of a title'` runs only
 * the tests with this text in their title. Shows the output of a failed step after it, and the output of a long step while it
 * runs. A failed step does not stop the other steps. A test step in which no test runs fails.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePostgres } from '../tests/helpers/postgres.mjs'
import { countTests, NO_TEST } from './prepare/count-tests.mjs'
import { capture, endCaptured } from './prepare/captured.mjs'
import { prepareChromium } from './prepare/chromium.mjs'
import { chooseSteps } from './prepare/named-tests.mjs'
import { prepareNode } from './prepare/packages.mjs'
import { main, onOrphaned, root, say, SetupError } from './prepare/programs.mjs'
import { prepareServer } from './prepare/server-programs.mjs'
import { embeddedFiles, longFiles, serverFiles } from './prepare/test-files.mjs'
import { prepareWebApp } from './prepare/web-app.mjs'

/**
 * Time in milliseconds without output after which a step is killed and fails. On a busy machine a step takes longer, but still
 * has output.
 */
const SILENCE_LIMIT_MS = 8 * 60_000
const LONG_SILENCE_LIMIT_MS = 3 * 3600_000

/** Temporary folder for the reports of this run. It is outside of the checkout, which can be read-only. */
const results = mkdtempSync(join(tmpdir(), 'lectern-test-results-'))
const bin = (name) => join(root, 'node_modules', '.bin', name)
const totals = { passed: 0, failed: 0, skipped: 0 }
let interruption = false
/** True if no PostgreSQL server is available. Every API test then runs on the embedded database, which takes longer. */
let withoutPostgres = false

/**
 * The lanes of the test steps. Lanes run in parallel, and the steps of a lane one after the other. All lanes take about the
 * same time.
 */
const LANES = [['api', 'long', 'all-embedded', 'hostile', 'hostile-embedded'], ['e2e'], ['unit', 'embedded']]
/**
 * The steps in order. `check` is the command of a check, which counts as one test. `project` is a test project of
 * vitest.config.ts.
 */
const steps = [
  { name: 'format', title: 'format', check: ['oxfmt', '--check'] },
  // The checks run in parallel. Each additional thread of a type checker repeats half of its work.
  { name: 'lint', title: 'lint', check: ['oxlint', '--type-aware'], env: { GOMAXPROCS: '1', GOGC: '400' } },
  {
    name: 'types',
    title: 'types',
    check: ['tsc', '-p', '.', '--incremental', 'false', '--singleThreaded'],
    env: { GOGC: '400' },
  },
  { name: 'dead-code', title: 'dead code', check: ['knip', '--no-progress', '--no-config-hints'] },
  { name: 'build', title: 'web app and server build', prepare: build },
  { name: 'unit', title: 'unit tests', project: 'unit' },
  { name: 'api', title: 'API tests, PostgreSQL', project: 'api', files: serverFiles, prepare: startPostgres },
  {
    name: 'embedded',
    title: 'API tests, embedded database',
    project: 'api',
    files: () => embeddedFiles(withoutPostgres),
    prepare: build,
  },
  { name: 'e2e', title: 'browser tests', project: 'e2e', prepare: findBrowser },
  // Long steps, which take hours. They run only if they are named, as `npm run test:hostile` does.
  {
    name: 'long',
    title: 'long API tests, PostgreSQL',
    project: 'api',
    files: longFiles,
    long: true,
    prepare: startPostgres,
    env: { EVERY_INPUT: '1' },
  },
  { name: 'all-embedded', title: 'all API tests, embedded', project: 'api', long: true, prepare: build },
  { name: 'hostile', title: 'bad files, kills, load', project: 'hostile', long: true, prepare: findBrowser },
  { name: 'hostile-embedded', title: 'the same, embedded', project: 'hostile', long: true, prepare: findChromium },
]

await main(async () => {
  const { titles, words } = titlesAndWords(process.argv.slice(2))
  const chosen = chooseSteps(root, steps, words).map((step) => ({ ...step, titles }))
  await prepareNode()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupted)
  onOrphaned(interrupted)

  const started = Date.now()
  const checks = chosen.filter(({ check }) => check)
  await inLanes(
    checks.filter((_, index) => index % 2 === 0),
    checks.filter((_, index) => index % 2 === 1),
  )
  for (const step of chosen.filter(({ check, project }) => !check && !project)) await runStep(step)
  // API tests often wait, for heartbeats and for services that are slow on purpose. The other lanes use that time.
  await inLanes(...LANES.map((names) => chosen.filter(({ name, project }) => project && names.includes(name))))

  rmSync(results, { recursive: true, force: true })
  const { passed, failed, skipped } = totals
  console.log(`\n${passed + failed} tests and checks in ${seconds(started)}`)
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exitCode = interruption ? 130 : failed > 0 || passed + skipped === 0 ? 1 : 0
})

/** Splits the arguments into `-t <part of a title>`, which is passed to vitest, and the other arguments. */
function titlesAndWords(args) {
  const at = args.indexOf('-t')
  if (at === -1) return { titles: [], words: args }
  return { titles: args.slice(at, at + 2), words: args.toSpliced(at, 2) }
}

/** Runs lanes of steps in parallel, and the steps of each lane one after the other. */
async function inLanes(...lanes) {
  await Promise.all(
    lanes.map(async (lane) => {
      for (const step of lane) await runStep(step)
    }),
  )
}

/** Runs one step, prints its line, and adds its counts to the totals. */
async function runStep(step) {
  if (interruption) return
  const started = Date.now()
  let outcome
  let resource = {}
  try {
    resource = (await step.prepare?.()) ?? {}
    if (resource.skipped) outcome = { passed: 0, failed: 0, skipped: 1, output: '', notes: [resource.skipped] }
    else if (step.project) outcome = await runProject(step, { ...step.env, ...resource.env })
    else if (step.check) outcome = await runCheck(step)
    else outcome = { passed: 1, failed: 0, skipped: 0, output: '', notes: [] }
  } catch (error) {
    const words = error instanceof SetupError ? error.message : String(error.stack ?? error)
    outcome = { passed: 0, failed: 1, skipped: 0, output: words, notes: [] }
  } finally {
    await resource.stop?.()
  }
  for (const key of Object.keys(totals)) totals[key] += outcome[key]
  const mark = outcome.failed > 0 ? '✗' : outcome.passed === 0 ? '!' : '✓'
  const counts = step.project ? `  ${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped` : ''
  console.log(`${mark} ${step.title.padEnd(30)} ${seconds(started).padStart(7)}${counts}`)
  for (const note of outcome.notes) console.log(`  SKIPPED: ${note}`)
  if (outcome.failed > 0) console.log(`\n--- ${step.title} ---\n${outcome.output.trimEnd()}\n---\n`)
}

async function runCheck(step) {
  const [program, ...args] = step.check
  const { code, output } = await capture(bin(program), args, { env: step.env, silenceMs: SILENCE_LIMIT_MS })
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output, notes: [] }
}

/** Runs a test project and counts its tests by the results that vitest reports, not only by vitest's exit code. */
async function runProject(step, env) {
  const report = join(results, `${step.name}.ndjson`)
  const reporters = ['--reporter=default', '--reporter=./bin/prepare/file-reporter.mjs']
  const { code, output, killed } = await capture(
    bin('vitest'),
    [
      'run',
      '--project',
      step.project,
      ...reporters,
      ...(step.files?.() ?? []),
      ...step.titles,
      '--configLoader',
      'native',
    ],
    {
      // Vitest stores a token among the data of the user.
      env: { ...env, LECTERN_TEST_RESULTS: report, XDG_DATA_HOME: join(root, '.cache', 'share') },
      silenceMs: step.long ? LONG_SILENCE_LIMIT_MS : SILENCE_LIMIT_MS,
      // Long steps print their progress and measurements.
      isShown: step.long,
    },
  )
  const lines = existsSync(report) ? readFileSync(report, 'utf8').trimEnd().split('\n') : []
  const { why, ...counts } = countTests(
    lines.map((line) => JSON.parse(line)),
    { code, killed, root },
  )
  if (step.titles.length > 0) {
    // `-t` skips most tests on purpose, and all tests of some steps.
    Object.assign(counts, { skipped: 0, notes: [] })
    if (why.includes(NO_TEST)) counts.failed = 0
  }
  return { ...counts, output: step.long ? why : `${output}${why}` }
}

async function build() {
  const node = await prepareNode()
  await prepareWebApp(node)
  await prepareServer(node)
}

/** Starts PostgreSQL for the API tests. Builds the web app, too, which the server under test delivers. */
async function startPostgres() {
  await build()
  const postgres = await ensurePostgres()
  withoutPostgres = 'skipped' in postgres
  if (withoutPostgres) return { skipped: `no test ran on PostgreSQL: ${postgres.skipped}` }
  return { env: { TEST_DATABASE_URL: postgres.url }, stop: postgres.stop }
}

/**
 * Finds the browser for the browser tests. They run on PostgreSQL if it is available, except the tests of the main workflow,
 * which use the embedded database.
 */
async function findBrowser() {
  const { env } = await findChromium()
  const postgres = await ensurePostgres()
  if ('skipped' in postgres) return { env }
  return { env: { ...env, TEST_DATABASE_URL: postgres.url }, stop: postgres.stop }
}

async function findChromium() {
  await build()
  const chromium = await prepareChromium({ install: true })
  if (chromium === null) throw new SetupError('Chromium was not found. Install it, or set CHROMIUM to its path.')
  return { env: { CHROMIUM: chromium } }
}

/** Handles Ctrl+C: kills the running programs, so that their steps fail and clean up. No further step starts. */
function interrupted() {
  interruption = true
  endCaptured()
  say('Interrupted.')
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}
