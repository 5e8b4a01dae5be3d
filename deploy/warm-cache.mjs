/**
 * Starts the server once in the image, on an empty embedded database, and stops it: it then has its compile cache. The cache is
 * valid for one user, one Node and one path only.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LIMIT_MS = 600_000
const data = mkdtempSync(join(tmpdir(), 'lectern-'))
const url = 'http://127.0.0.1:3000/readyz'
const env = { ...process.env, DATA_DIR: data, HOST: '127.0.0.1', PORT: '3000' }
const server = spawn(process.execPath, ['dist/server/main.js'], { env, stdio: 'inherit' })
const ended = new Promise((resolve) => server.once('exit', resolve))
const deadline = Date.now() + LIMIT_MS
const isReady = () =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
while (server.exitCode === null && Date.now() < deadline && !(await isReady()))
  await new Promise((resolve) => setTimeout(resolve, 200))
const ready = server.exitCode === null && Date.now() < deadline
server.kill('SIGTERM')
await ended
rmSync(data, { recursive: true, force: true })
process.exit(ready ? 0 : 1)
