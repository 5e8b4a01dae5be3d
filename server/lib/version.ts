import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }

/** The version of this installation, from package.json. */
export const version: string = packageJson.version

/** The file with the commit. bin/prepare/commit.mjs writes it during the build. */
const COMMIT_FILE = fileURLToPath(new URL('../../dist/server/.commit', import.meta.url))

/** The git commit that the server was built from; null when unknown, as in an unpacked archive. */
export const commit: string | null = (existsSync(COMMIT_FILE) && readFileSync(COMMIT_FILE, 'utf8').trim()) || null
