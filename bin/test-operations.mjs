/**
 * `npm run test:operations`: checks the alert rules and the dashboard queries in deploy with promtool (Debian package
 * prometheus), and runs the unit tests of the alert rules. Without promtool, prints a message and skips the checks. With a
 * number of minutes as argument, runs several servers under load and kills servers for this time instead
 * (tests/operations/main.ts).
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareNode } from './prepare/packages.mjs'
import { handOver, main, root, say, SetupError } from './prepare/programs.mjs'

const promtool = process.env.PROMTOOL || 'promtool'

await main(async () => {
  const args = process.argv.slice(2)
  if (args.length > 0) return handOver(await prepareNode(), [join(root, 'tests', 'operations', 'main.ts'), ...args])
  if (spawnSync(promtool, ['--version']).error)
    return say('SKIPPED: the alert rules were not tested: install the package prometheus, or set PROMTOOL to promtool.')
  const folder = mkdtempSync(join(tmpdir(), 'lectern-operations-'))
  try {
    const queries = join(folder, 'queries.yaml')
    writeFileSync(queries, JSON.stringify(dashboardRules()))
    run('check', 'rules', join('deploy', 'alerts.yaml'), queries)
    run('test', 'rules', join('tests', 'operations', 'alerts.test.yaml'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function run(...args) {
  const { status } = spawnSync(promtool, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new SetupError(`promtool ${args.slice(0, 2).join(' ')} failed.`)
}

/** Returns the queries of the dashboard in the form of recording rules, because promtool only checks files with rules. */
function dashboardRules() {
  const { panels } = JSON.parse(readFileSync(join(root, 'deploy', 'grafana.json'), 'utf8'))
  const rules = panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }, index) => ({
      record: `dashboard:query${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'lectern'),
    }))
  return { groups: [{ name: 'dashboard', rules }] }
}
