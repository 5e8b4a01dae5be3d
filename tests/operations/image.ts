import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, signUp } from '#tests/helpers/server.ts'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { buildImage, mountImage } from './build-image.ts'
import { runCommand, startContainer, type Container } from './run-image.ts'

/**
 * This file is `npm run test:image`. It builds the container image with buildah and runs the main workflow in it, as user 1000,
 * without Linux capabilities and with a read-only root. It is not part of `npm test`, because it needs root, Debian and about
 * ten minutes.
 */

/** Maximum size of the image in MB. */
const LARGEST_MB = 550
const ELF_MACHINE: Record<string, number> = { x64: 62, arm64: 183 }

const { version } = process
const config = await buildImage()
const image = mountImage()
const work = mkdtempSync(join(tmpdir(), 'lectern-image-'))
const volume = (name: string) => {
  const folder = join(work, name)
  mkdirSync(folder)
  chownSync(folder, 1000, 1000)
  return folder
}

try {
  assert.equal(config.User, '1000:1000')
  assert.deepEqual(Object.keys(config.Volumes).toSorted(), ['/backups', '/data'])
  const megabytes = Number(execFileSync('du', ['-sb', image.folder], { encoding: 'utf8' }).split('\t')[0]) / 1e6
  report(`size: ${Math.round(megabytes)} MB`)
  assert.ok(megabytes <= LARGEST_MB, `The image has ${Math.round(megabytes)} MB, more than ${LARGEST_MB} MB.`)
  assert.deepEqual(foreignLibraries(join(image.folder, 'app')), [], 'libraries of other machines')
  const container = {
    folder: image.folder,
    config,
    volumes: { '/data': volume('data'), '/backups': volume('backups') },
  }
  assert.equal(runCommand(container, ['node', '--version']).trim(), version)
  await mainWorkflow(container)
  await restored({ ...container, volumes: { ...container.volumes, '/data': volume('restored') } })
  console.log('The image passed.')
} finally {
  image.unmount()
  rmSync(work, { recursive: true, force: true })
}

/**
 * Starts the image with its volumes, waits until the server is ready, calls `body` with its address, and stops it with SIGTERM,
 * as a container engine does.
 */
async function whileRunning(container: Container, body: (url: string) => Promise<void>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const env = { PORT: String(port), NODE_DEBUG_NATIVE: 'COMPILE_CACHE', RATE_LIMIT: 'off' }
  const server = startContainer(container, env)
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  try {
    while (!(await isReady())) {
      assert.ok(!server.exited(), `The server ended at its start:\n${server.output()}`)
      assert.ok(performance.now() - began < 120_000, `The server is not ready after two minutes:\n${server.output()}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    report(`ready after ${((performance.now() - began) / 1000).toFixed(1)} s`)
    assert.ok(
      /dist\/server\/start\.js was accepted/.test(server.output()),
      'The compile cache of the image is not used.',
    )
    await body(url)
  } finally {
    assert.equal(await server.stop(), 0, `The server did not stop cleanly:\n${server.output().slice(-2000)}`)
  }
}

async function mainWorkflow(container: Container) {
  await whileRunning(container, async (url) => {
    const ada = await signUp(url, { email: 'ada@example.org' })
    const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Image' } })).data.id
    const upload = (name: string) => {
      const bytes = readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
      return ada.upload(project, new File([bytes], name, { type: 'application/pdf' }))
    }
    const job = async (path: string, body: unknown) => {
      const { data } = await ada.json<{ data: { id: string } }>(path, { body })
      const { status, error } = await ada.job(data.id, 180_000)
      assert.deepEqual([path, status, error], [path, 'completed', null])
    }
    const { id } = await upload('paper.pdf')
    await job(api.documentExtract(id), { method: 'text' })
    await job(api.documentAnalyze(id), {})
    await job(api.documentVectorize(id), {})
    const body = { question: 'What was the adjusted difference in sleep efficiency?' }
    const { data } = await ada.json<{ data: ChatAnswer }>(api.documentChat(id), { body })
    assert.ok(data.answer.includes('5.0 percentage points'), data.answer)
    const scan = await upload('paper-scan.pdf')
    await job(api.documentExtract(scan.id), { method: 'ocr' })
    const { extracted_text } = (await ada.json<{ data: DocumentDetail }>(api.document(scan.id))).data
    assert.match(extracted_text ?? '', /sleep efficiency/i)
    for (const path of ['/', '/api/docs']) assert.equal((await fetch(`${url}${path}`)).status, 200, path)
    report('sign-up, upload, extraction, OCR, analysis, vectors and a question: passed')
  })
  const accounts = runCommand(container, ['node', 'dist/server/admin-command.js', 'list'])
  assert.match(accounts, /ada@example\.org/)
  runCommand(container, ['node', 'dist/server/backup-command.js', 'backup', '/backups/one'])
  assert.ok(existsSync(join(container.volumes['/backups']!, 'one')))
  report('admin and backup: passed')
}

async function restored(container: Container) {
  runCommand(container, ['node', 'dist/server/backup-command.js', 'restore', '/backups/one'])
  const accounts = runCommand(container, ['node', 'dist/server/admin-command.js', 'list'])
  assert.match(accounts, /ada@example\.org/)
  await whileRunning(container, async (url) => assert.equal((await fetch(`${url}/healthz`)).status, 200))
  report('restore: passed')
}

/** Returns the native libraries in a folder that are built for another system or processor than this one. */
function foreignLibraries(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => {
    if (/\.(dll|dylib|exe)$/.test(path)) return true
    if (!/\.(node|so[.\d]*)$/.test(path)) return false
    const head = readFileSync(join(folder, path)).subarray(0, 20)
    return head.toString('latin1', 1, 4) !== 'ELF' || head.readUInt16LE(18) !== ELF_MACHINE[process.arch]
  })
}

function report(text: string) {
  console.log(`✓ ${text}`)
}
