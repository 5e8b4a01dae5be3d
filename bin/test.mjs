/**
 * `npm test`: every check there is, each with its own line, and at the end how many passed. `npm test -- unit api` runs
 * only the named steps. A step that fails shows all it printed and the others still run; a step of tests that ran none
 * has failed.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePostgres } from '../tests/helpers/postgres.mjs'
import { countTests } from './prepare/count-tests.mjs'
import { capture, endCaptured } from './prepare/captured.mjs'
import { prepareChromium } from './prepare/chromium.mjs'
import { prepareNode } from './prepare/packages.mjs'
import { main, onOrphaned, root, say, SetupError } from './prepare/programs.mjs'
import { prepareServer } from './prepare/server-programs.mjs'
import { prepareWebApp } from './prepare/web-app.mjs'

/** A step that hangs is ended and has failed; the whole run stays inside a quarter of an hour. */
const STEP_LIMIT_MS = 13 * 60_000
const LONG_STEP_LIMIT_MS = 4 * 3600_000

/** Reports of this run. Nothing is written into the checkout, which may belong to somebody else. */
const results = mkdtempSync(join(tmpdir(), 'lectern-test-results-'))
const bin = (name) => join(root, 'node_modules', '.bin', name)
const totals = { passed: 0, failed: 0, skipped: 0 }
let interruption = false
/** Without a PostgreSQL server every API test runs on the embedded database instead, which takes longer. */
let withoutPostgres = false

/**
 * What runs on the embedded database again: crashes, access rules, and the main queries. The others meet the same schema
 * and driver. `npm run test:hostile` runs all of them there.
 */
const ON_EMBEDDED = ['crash', 'documents', 'embedded', 'projects-documents', 'row-level-security', 'trash']

/**
 * Files that `npm run test:hostile` alone runs, for each is long: the line of a paper is walked in the browser too, a clock
 * that jumps is judged by unit tests, and jobs of two servers are among those of jobs.
 */
const LONG_FILES = ['clock', 'main-line', 'two-servers']
/** Those of which `npm test` takes a sample, and the long run everything. */
const SAMPLED_FILES = ['strange-input']

/** The steps in their order. `check` is a program that counts as one test, `project` a project of vitest.config.ts. */
const steps = [
  { name: 'format', title: 'format', check: ['oxfmt', '--check'] },
  { name: 'lint', title: 'lint', check: ['oxlint', '--type-aware'] },
  {
    name: 'types',
    title: 'types',
    check: ['tsc', '-p', '.', '--incremental', 'false'],
  },
  { name: 'dead-code', title: 'dead code', check: ['knip', '--no-progress', '--no-config-hints'] },
  { name: 'build', title: 'web app and server build', prepare: build },
  { name: 'unit', title: 'unit tests', project: 'unit' },
  { name: 'api', title: 'API tests, PostgreSQL', project: 'api', files: withoutLongFiles, prepare: startPostgres },
  { name: 'embedded', title: 'API tests, embedded database', project: 'api', files: embeddedFiles },
  { name: 'e2e', title: 'browser tests', project: 'e2e', prepare: findBrowser },
  // The long ones, hours of them: only when they are named, as `npm run test:hostile` does.
  {
    name: 'long',
    title: 'long API tests, PostgreSQL',
    project: 'api',
    files: longFiles,
    long: true,
    prepare: startPostgres,
    env: { EVERY_INPUT: '1' },
  },
  { name: 'all-embedded', title: 'all API tests, embedded', project: 'api', long: true },
  { name: 'hostile', title: 'bad files, kills, load', project: 'hostile', long: true, prepare: findBrowser },
  { name: 'hostile-embedded', title: 'the same, embedded', project: 'hostile', long: true, prepare: findChromium },
]

await main(async () => {
  const asked = process.argv.slice(2)
  const unknown = asked.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) {
    throw new SetupError(
      `No step is called ${unknown.join(', ')}. There are: ${steps.map(({ name }) => name).join(', ')}.`,
    )
  }
  const chosen = steps.filter(({ name, long }) => (asked.length === 0 ? !long : asked.includes(name)))
  await prepareNode()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, interrupted)
  onOrphaned(interrupted)

  const started = Date.now()
  const checks = chosen.filter(({ check }) => check)
  await inTwoLanes(
    checks.filter((_, index) => index % 2 === 0),
    checks.filter((_, index) => index % 2 === 1),
  )
  for (const step of chosen.filter(({ check, project }) => !check && !project)) await runStep(step)
  // Much of the API tests is waiting, for heartbeats and for services that are slow on purpose: the browser works meanwhile.
  const tests = chosen.filter(({ project }) => project)
  await inTwoLanes(
    tests.filter(({ name }) => name !== 'e2e'),
    tests.filter(({ name }) => name === 'e2e'),
  )

  rmSync(results, { recursive: true, force: true })
  const { passed, failed, skipped } = totals
  console.log(`\n${passed + failed} tests and checks in ${seconds(started)}`)
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exitCode = interruption ? 130 : failed > 0 ? 1 : 0
})

/** Two rows of steps side by side, as many as the smallest machine has processors. */
async function inTwoLanes(...lanes) {
  await Promise.all(
    lanes.map(async (lane) => {
      for (const step of lane) await runStep(step)
    }),
  )
}

/** Runs one step, prints its line, and adds its count to the totals. */
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
  const { code, output } = await capture(bin(program), args, { limitMs: STEP_LIMIT_MS })
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, output, notes: [] }
}

/** Runs a project of tests and counts by its report, never by its exit code alone. */
async function runProject(step, env) {
  const report = join(results, `${step.name}.json`)
  const args = [
    'run',
    '--project',
    step.project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const { code, output } = await capture(
    bin('vitest'),
    [...args, ...(step.files?.() ?? []), '--configLoader', 'native'],
    { env, limitMs: step.long ? LONG_STEP_LIMIT_MS : STEP_LIMIT_MS },
  )
  // The long ones print figures.
  if (step.long) console.log(output)
  if (!existsSync(report)) {
    return { passed: 0, failed: 1, skipped: 0, output: `${output}\nThe tests made no report.`, notes: [] }
  }
  const { why, ...counts } = countTests(JSON.parse(readFileSync(report, 'utf8')), code, root)
  return { ...counts, output: `${output}${why}` }
}

async function build() {
  const node = await prepareNode()
  await prepareWebApp(node)
  await prepareServer(node)
}

async function startPostgres() {
  const postgres = await ensurePostgres()
  withoutPostgres = 'skipped' in postgres
  if (withoutPostgres) return { skipped: `no test ran on PostgreSQL: ${postgres.skipped}` }
  return { env: { TEST_DATABASE_URL: postgres.url }, stop: postgres.stop }
}

function withoutLongFiles() {
  return LONG_FILES.map((name) => `--exclude=tests/api/${name}.test.ts`)
}

function longFiles() {
  return [...LONG_FILES, ...SAMPLED_FILES].map((name) => `tests/api/${name}.test.ts`)
}

function embeddedFiles() {
  return withoutPostgres ? withoutLongFiles() : ON_EMBEDDED.map((name) => `tests/api/${name}.test.ts`)
}

/** The browser's tests run on PostgreSQL where it can be had; those of the main line ask for the embedded database themselves. */
async function findBrowser() {
  const { env } = await findChromium()
  const postgres = await ensurePostgres()
  if ('skipped' in postgres) return { env }
  return { env: { ...env, TEST_DATABASE_URL: postgres.url }, stop: postgres.stop }
}

async function findChromium() {
  await build()
  const chromium = await prepareChromium({ install: true })
  if (chromium === null) throw new SetupError('No Chromium was found: install it, or name one in CHROMIUM.')
  return { env: { CHROMIUM: chromium } }
}

/** Control-C: ends what runs now; its step fails and cleans up after itself, and no other begins. */
function interrupted() {
  interruption = true
  endCaptured()
  say('Interrupted.')
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}
