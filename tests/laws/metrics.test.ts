import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import '#server/lib/installation-metrics.ts'
import { metrics } from '#server/lib/metrics.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Returns the metric names that the server exposes to Prometheus, including the suffixed names of histograms. */
async function exposedNames(): Promise<Set<string>> {
  const all = await metrics.getMetricsAsJSON()
  return new Set(
    all.flatMap(({ name, type }) =>
      // The type is an enumeration in the types of prom-client, and a text in its output.
      String(type) === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

const namesIn = (text: string) => text.match(/\b(?:lectern|process|nodejs)_[a-z0-9_]+(?![-.\w])/g) ?? []

it.each(['deploy/alerts.yaml', 'deploy/grafana.json'])('%s uses only metrics that the server exposes', async (path) => {
  const exposed = await exposedNames()
  const used = namesIn(read(path))
  expect(used.length).toBeGreaterThan(5)
  expect(used.filter((name) => !exposed.has(name))).toEqual([])
})

it('docs/operating.md lists every metric of the product', async () => {
  const exposed = [...(await exposedNames())].filter((name) => name.startsWith('lectern_'))
  const described = new Set(namesIn(read('docs/operating.md')))
  expect(exposed.filter((name) => !described.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([])
})
