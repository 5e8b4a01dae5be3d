#!/usr/bin/env node
/**
 * Uploads the PDFs of a folder to a project, each file once:
 * LECTERN_KEY=lct_… node bin/lectern-upload.mjs ~/papers --url https://lectern.example.org --project 'Sleep' [--watch]
 * A file is recognized by the SHA-256 of its content, so an interrupted run continues where it stopped. Nothing is moved or
 * deleted. Needs Node 18 or newer, no package, and a key with the scopes read and write.
 */
import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const USAGE = `Usage: LECTERN_KEY=lct_… node bin/lectern-upload.mjs FOLDER --url https://lectern.example.org --project NAME
  --project   the name or the id of the project
  --watch     also uploads PDFs that appear later, until the program is stopped
  --stable 5  seconds for which the size of a file must be unchanged before it is uploaded`
const TRIES = 6
const INTERVAL_MS = 2000
/** Status codes of a server, or of a proxy before it, that is busy or not running. */
const BUSY = new Set([429, 502, 503, 504])

/** An error that a repeated attempt does not fix. */
class Refused extends Error {}
/** The server did not answer, or was busy, in all attempts. */
class Unreachable extends Error {}
/** The server had an internal error in all attempts, which can depend on the file. */
class ServerError extends Error {}

const { values, positionals } = readArguments()
const [folder] = positionals
const key = process.env.LECTERN_KEY
if (!folder || !values.url || !values.project || !key) exit(USAGE)
const stableMs = Number(values.stable) * 1000
if (!(stableMs >= 0)) exit(USAGE)

try {
  const project = await findProject(values.project)
  const failed = await run(project)
  process.exitCode = failed > 0 ? 1 : 0
} catch (error) {
  exit(error.message)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        project: { type: 'string' },
        watch: { type: 'boolean', default: false },
        stable: { type: 'string', default: '5' },
      },
    })
  } catch (error) {
    return exit(`${error.message}\n${USAGE}`)
  }
}

function exit(message) {
  console.error(message)
  process.exit(2)
}

/**
 * Uploads the PDFs of the folder to the project and returns the number of failures. With --watch it repeats this, also after
 * errors of the server or the folder, and never returns.
 */
async function run(project) {
  /** Maps the path of each uploaded or failed file to its version, so that the file is uploaded again only if it changes. */
  const done = new Map()
  const counts = { uploaded: 0, known: 0, failed: 0 }
  // A wrong folder ends the program also with --watch.
  await readdir(folder)
  for (;;) {
    try {
      await uploadNew(project, done, counts)
    } catch (error) {
      if (!values.watch) throw error
      console.error(error.message)
    }
    if (!values.watch) break
    await sleep(INTERVAL_MS)
  }
  console.log(`${counts.uploaded} uploaded, ${counts.known} known, ${counts.failed} failed`)
  return counts.failed
}

/**
 * Uploads the PDFs of the folder that are not in `done`. A file that cannot be read, is refused, or causes an internal error of
 * the server counts as failed. After an internal error the next call tries the file again.
 */
async function uploadNew(project, done, counts) {
  for (const path of await listPdfs(folder)) {
    const before = await describe(path)
    if (before === undefined || done.get(path) === before.version) continue
    if (!(await isStable(path, before))) continue
    const name = basename(path)
    try {
      const isNew = await uploadOnce(project, path)
      counts[isNew ? 'uploaded' : 'known'] += 1
      console.log(isNew ? `uploaded  ${name}` : `known     ${name}`)
    } catch (error) {
      if (error instanceof Unreachable) throw error
      // The file was removed meanwhile.
      if ((await describe(path)) === undefined) continue
      counts.failed += 1
      console.error(`failed    ${name}: ${error.message}`)
      if (error instanceof ServerError) continue
    }
    done.set(path, before.version)
  }
}

async function listPdfs(root) {
  const entries = await readdir(root, { recursive: true })
  return entries
    .filter((name) => /\.pdf$/i.test(name))
    .map((name) => join(root, name))
    .sort()
}

async function describe(path) {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  // The time of a change of the rights is ctime.
  return { changed: found.mtimeMs, version: `${found.size} ${found.mtimeMs} ${found.ctimeMs}` }
}

/**
 * Returns whether a file is complete: it has not changed for `stableMs`. If it still changes, returns false with --watch, and
 * waits until it is complete without --watch.
 */
async function isStable(path, before) {
  let last = before
  for (;;) {
    const rest = stableMs - (Date.now() - last.changed)
    if (rest > 0) await sleep(Math.min(rest, stableMs))
    const now = await describe(path)
    if (now === undefined) return false
    if (now.version === last.version) return true
    if (values.watch) return false
    last = now
  }
}

/** Uploads a file unless the project already has a file with the same content. Returns whether it was uploaded. */
async function uploadOnce(project, path) {
  const hash = createHash('sha256')
  for await (const chunk of fs.createReadStream(path)) hash.update(chunk)
  const { data } = await call(`/api/documents/same-file?content_hash=${hash.digest('hex')}&project_id=${project.id}`)
  if (data.length > 0) return false
  // A repeated request with this id creates no second document.
  const id = randomUUID()
  await call('/api/documents', async () => {
    const form = new FormData()
    // The project comes first, because the server streams the file.
    form.append('project_id', project.id)
    form.append('document_id', id)
    const type = 'application/pdf'
    // Node 18 reads the whole file.
    const content = fs.openAsBlob ? await fs.openAsBlob(path, { type }) : new Blob([await readFile(path)], { type })
    form.append('file', content, basename(path))
    return { method: 'POST', body: form }
  })
  return true
}

async function findProject(wanted) {
  const { data } = await call('/api/projects')
  const named = data.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  const found = data.find(({ id }) => id === wanted) ?? named[0]
  if (named.length > 1 && found.id !== wanted) {
    const ids = named.map(({ id }) => id).join(', ')
    throw new Refused(`The key reads several projects '${wanted}'. Name one by its id: ${ids}`)
  }
  if (!found)
    throw new Refused(`The key reads no project '${wanted}'. It reads: ${data.map(({ name }) => name).join(', ')}`)
  return found
}

/**
 * Calls the API and returns the JSON response. Repeats the call while the server is busy or unreachable, after the time in
 * Retry-After or an increasing delay. After TRIES attempts it throws ServerError if the server had an internal error, else
 * Unreachable. Throws Refused with the message of the server for any other error. `options` returns the options of `fetch`.
 */
async function call(path, options = async () => ({})) {
  for (let attempt = 1; ; attempt += 1) {
    let problem
    let Failure = Unreachable
    let wait = 2 ** attempt
    const request = await options()
    try {
      const response = await fetch(new URL(path, values.url), {
        ...request,
        headers: { authorization: `Bearer ${key}` },
      })
      const answer = await response.json().catch(() => ({}))
      if (response.ok) return answer
      problem = answer.error?.message ?? `The server answered ${response.status}.`
      if (response.status !== 429 && response.status < 500) throw new Refused(problem)
      if (!BUSY.has(response.status)) Failure = ServerError
      const retryAfter = Number(response.headers.get('retry-after'))
      if (retryAfter > 0) {
        wait = retryAfter
        // Waiting for a rate limit does not count as an attempt.
        if (response.status === 429) attempt -= 1
      }
    } catch (error) {
      if (error instanceof Refused) throw error
      problem = `${values.url} cannot be reached: ${error.cause?.message ?? error.message}`
    }
    if (attempt >= TRIES) throw new Failure(problem)
    console.error(`${problem} Trying again in ${wait} seconds.`)
    await sleep(wait * 1000)
  }
}
