import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { setup as buildServer } from '#tests/helpers/programs.ts'
import type { BenchRow } from './report.ts'

/**
 * This file is `npm run bench [-- name …]`. It runs the named benchmarks (default: all) and prints their tables. If all
 * benchmarks ran, it writes docs/benchmarks.md. A bad result does not make the command fail.
 */

const ALL = [
  'extraction',
  'ocr',
  'analysis',
  'retrieval',
  'answerable',
  'metadata',
  'library',
  'library-questions',
  'library-answers',
  'keys',
  'line',
  'automatic',
  'start',
  'documents-list',
  'documents-by-use',
  'events',
  'feeds',
  'journal-import',
  'long-text',
  'citations',
  'exports',
  'imports',
  'duplicates',
  'zotero',
] as const
const asked = process.argv.slice(2)
const names = asked.length > 0 ? asked : ALL
const sections: string[] = []

await buildServer()
for (const name of names) {
  const file = new URL(`${name}.ts`, import.meta.url)
  if (!existsSync(file)) throw new Error(`There is no benchmark called ${name}. There are: ${ALL.join(', ')}.`)
  console.error(`… ${name}`)
  const { run } = (await import(file.href)) as { run: () => Promise<BenchRow[]> }
  const table = asTable(await run())
  console.log(`\n## ${name}\n\n${table}`)
  sections.push(`## ${name}\n\n${table}`)
}

if (asked.length === 0) {
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${process.platform} ${process.arch}`
  const head = `# Benchmarks\n\nMeasured ${new Date().toISOString().slice(0, 10)} on ${machine}. Repeat with \`npm run bench\`; one part with \`npm run bench -- line\`.\nEach row is a ratio measured in one run against a peer or a limit on the same machine, interleaved, medians of at least five runs where not said otherwise.`
  await writeFile(new URL('../../docs/benchmarks.md', import.meta.url), `${[head, ...sections].join('\n\n')}\n`)
}
process.exit(0)

function asTable(rows: BenchRow[]): string {
  const cells = rows.map((row) =>
    [row.what, row.measured, row.peer, row.ratio, row.aim, row.note ?? '']
      .map((cell) => cell.replaceAll('|', '/'))
      .join(' | '),
  )
  return [
    '| what | measured | against | ratio | aim | note |',
    '|---|---|---|---|---|---|',
    ...cells.map((row) => `| ${row} |`),
  ].join('\n')
}
