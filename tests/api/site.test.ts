import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import type { Site } from '#shared/contract/site.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const server = sharedServer()

it('The site names the version of package.json and the commit of the build, which is null without git', async () => {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string }
  const git = existsSync(`${ROOT}.git`)
    ? spawnSync('git', ['-C', ROOT, 'rev-parse', 'HEAD'], { encoding: 'utf8' })
    : null
  const commit = process.env['BUILD_COMMIT'] || (git?.status === 0 ? git.stdout.trim() : null)
  const { data } = (await (await fetch(server.url + api.site())).json()) as { data: Site }
  expect({ version: data.version, commit: data.commit }).toEqual({ version, commit })
})
