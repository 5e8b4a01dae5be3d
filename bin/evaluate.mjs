/**
 * `npm run evaluate -- --base-url <address> --model <model> [--embedding-model <model>] [--key-env <variable>] [--half
 * development|unseen] [--limit <questions>]`: measures the answers of a provider with the OpenAI API, and the answers of the
 * built-in models. The questions and papers are in the folder tests, which a container image does not contain.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepareNode } from './prepare/packages.mjs'
import { handOver, main, root, SetupError } from './prepare/programs.mjs'
import { prepareServer } from './prepare/server-programs.mjs'

const NEEDED = ['tests/bench/evaluate.ts', 'tests/bench/questions', 'tests/fixtures/papers']

await main(async () => {
  const missing = NEEDED.find((path) => !existsSync(join(root, path)))
  if (missing)
    throw new SetupError(
      `The questions and papers of the evaluation are not in this installation: ${missing} does not exist. Run the command in a checkout, with DATA_DIR set to the data folder of this installation.`,
    )
  const node = await prepareNode()
  await prepareServer(node)
  await handOver(node, [join('tests', 'bench', 'evaluate.ts'), ...process.argv.slice(2)])
})
