import { execFile, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { connectMcp, newKey, postMcp } from '#tests/helpers/mcp-client.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp, startServer } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url).pathname
const guide = readFileSync(`${root}docs/guide/api.md`, 'utf8')

const server = sharedServer()
let ada: Client
let project: string
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Sleep' } })).data.id
  folder = mkdtempSync(join(tmpdir(), 'lectern-guide-'))
  writeFileSync(join(folder, 'paper.pdf'), onePagePdf(['Naps help older adults.']))
  env = { PATH: process.env['PATH']!, LECTERN_URL: server.url, LECTERN_KEY: await newKey(ada) }
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const example = (language: string) => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)![1]!
const countPapers = async () => (await ada.json<{ count: number }>(api.documents({ project_id: project }))).count

it.each([
  ['sh', 'sh', '-ec', '"count":1'],
  ['python', 'python3', '-c', 'paper.pdf'],
  ['js', process.execPath, '--input-type=module', 'false'],
])('The example in %s of the guide works as it is', async (language, program, option, expected) => {
  const source = example(language)
  const given = language === 'js' ? [option, '-e', source] : [option, source]
  const { stdout } = await run(program, given, { cwd: folder, env })
  expect(stdout.trim()).toContain(expected)
})

it('lectern-upload uploads each paper of a folder once, also in a second run and for a copy under another name', async () => {
  writeFileSync(join(folder, 'second.pdf'), onePagePdf(['The second paper.']))
  copyFileSync(join(folder, 'second.pdf'), join(folder, 'copy of second.PDF'))
  writeFileSync(join(folder, 'broken.pdf'), 'not a PDF')
  writeFileSync(join(folder, 'notes.txt'), 'no paper')
  const before = await countPapers()
  const upload = (more: string[] = [], given: Record<string, string> = {}) =>
    run(
      process.execPath,
      [`${root}bin/lectern-upload.mjs`, folder, '--url', server.url, '--stable', '0', '--project', 'sleep', ...more],
      { env: { ...env, ...given } },
    ).then(
      ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        text: error.stdout + error.stderr,
      }),
    )
  const first = await upload()
  expect(first).toMatchObject({ code: 1, text: expect.stringMatching(/1 uploaded, 2 known, 1 failed[^]*broken\.pdf/) })
  expect(await countPapers()).toBe(before + 1)
  expect((await upload()).text).toContain('0 uploaded, 3 known, 1 failed')
  expect(await upload([], { LECTERN_KEY: 'lct_wrong' })).toEqual({ code: 2, text: 'This key is not valid.\n' })
  expect((await upload(['--project', 'Nothing'])).text).toContain("The key reads no project 'Nothing'. It reads: Sleep")
})

it('An upload to one of two projects with the same name needs the id of the project, and ignores the file of the other one', async () => {
  const [ann, ben] = [await signUp(server.url), await signUp(server.url)]
  const { data: shared } = await ben.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Twin' } })
  const addMember = `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`
  await inDatabase(server, addMember, [shared.id, ann.userId])
  const { data: own } = await ann.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Twin' } })
  const twins = mkdtempSync(join(folder, 'twins-'))
  const content = onePagePdf(['Twins sleep alike.'])
  writeFileSync(join(twins, 'twin.pdf'), content)
  await ben.upload(shared.id, new File([content], 'twin.pdf'))
  const key = await newKey(ann)
  const upload = (wanted: string) =>
    run(
      process.execPath,
      [`${root}bin/lectern-upload.mjs`, twins, '--url', server.url, '--stable', '0', '--project', wanted],
      { env: { ...env, LECTERN_KEY: key } },
    ).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    )
  const refused = await upload('twin')
  expect(refused).toContain("The key reads several projects 'twin'")
  expect(refused).toContain(own.id)
  expect(await upload(own.id)).toContain('1 uploaded')
  expect((await ann.json<{ count: number }>(api.documents({ project_id: own.id }))).count).toBe(1)
})

it('lectern-upload reports a file that it cannot read, and uploads the files after it', async () => {
  const mixed = mkdtempSync(join(folder, 'mixed-'))
  // Reading this file fails also for root.
  symlinkSync('/proc/self/mem', join(mixed, 'a.pdf'))
  writeFileSync(join(mixed, 'b.pdf'), onePagePdf(['The paper after an unreadable file.']))
  const ended = run(
    process.execPath,
    [`${root}bin/lectern-upload.mjs`, mixed, '--url', server.url, '--stable', '0', '--project', project],
    { env },
  )
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/uploaded  b\.pdf[^]*1 uploaded, 0 known, 1 failed/),
    stderr: expect.stringContaining('failed    a.pdf: EIO'),
  })
})

it.each([
  {
    name: 'lectern-upload',
    options: [],
    texts: ['failed    a.pdf: Broken', 'uploaded  b.pdf', '1 uploaded, 0 known, 1 failed'],
  },
  {
    name: 'lectern-upload --watch',
    options: ['--watch'],
    texts: ['failed    a.pdf: Broken', 'uploaded  b.pdf', 'uploaded  a.pdf'],
  },
])('$name uploads the files after a file that causes an internal error', async ({ options, texts }) => {
  const pair = mkdtempSync(join(folder, 'pair-'))
  for (const name of ['a.pdf', 'b.pdf']) writeFileSync(join(pair, name), onePagePdf([name]))
  let isFailing = true
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    if (body.includes('filename="b.pdf"')) isFailing = false
    const status = isFailing && request.method === 'POST' ? 500 : 200
    const data = request.url === api.projects() ? [{ id: 'sleep', name: 'Sleep' }] : []
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0.01' })
    response.end(JSON.stringify({ data, error: { message: 'Broken' } }))
  }
  const failing = createServer((request, response) => void answer(request, response)).listen(0)
  const url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`
  const child = spawn(
    process.execPath,
    [`${root}bin/lectern-upload.mjs`, pair, '--url', url, '--stable', '0', '--project', 'Sleep', ...options],
    { env },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  try {
    await expect.poll(() => texts.filter((one) => !output.includes(one)), { timeout: 60_000 }).toEqual([])
  } finally {
    child.kill()
    failing.close()
  }
})

it('lectern-upload --watch continues after an error of the folder', async () => {
  const watched = mkdtempSync(join(folder, 'watched-'))
  const child = spawn(
    process.execPath,
    [`${root}bin/lectern-upload.mjs`, watched, '--url', server.url, '--stable', '0', '--project', project, '--watch'],
    { env },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const appears = (text: string) => vi.waitUntil(() => output.includes(text), { timeout: 60_000 })
  try {
    writeFileSync(join(watched, 'first.pdf'), onePagePdf(['The first watched paper.']))
    await appears('uploaded  first.pdf')
    renameSync(watched, `${watched}-away`)
    await appears('ENOENT')
    renameSync(`${watched}-away`, watched)
    writeFileSync(join(watched, 'second.pdf'), onePagePdf(['The second watched paper.']))
    await appears('uploaded  second.pdf')
    expect(child.exitCode).toBeNull()
  } finally {
    child.kill()
  }
})

it('MCP=off removes the MCP server (MCP-17)', async () => {
  const off = await startServer({ env: { MCP: 'off' } })
  try {
    const user = await signUp(off.url)
    expect((await postMcp(off.url, await newKey(user), 'tools/list')).response.status).toBe(404)
    expect((await user.json<{ data: { mcp: boolean } }>(api.site())).data.mcp).toBe(false)
  } finally {
    await off.stop()
  }
})

it('The stdio bridge answers as the server, and names a server that it cannot reach (MCP-04)', async () => {
  const { Client: McpClient } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  const connect = async (url: string) => {
    const client = new McpClient({ name: 'test', version: '1' })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [`${root}bin/mcp.mjs`, '--url', url],
      env,
      stderr: 'ignore',
    })
    await client.connect(transport)
    // The client reports no progress that arrives together with the result.
    const messages: unknown[] = []
    const { onmessage } = transport
    transport.onmessage = (message) => {
      messages.push(message)
      onmessage?.(message)
    }
    return { client, messages }
  }
  const { client, messages } = await connect(server.url)
  const { client: direct } = await connectMcp(server.url, env['LECTERN_KEY']!)
  expect(await client.listTools()).toEqual(await direct.listTools())
  const { structuredContent } = await client.callTool({ name: 'list_projects', arguments: {} })
  expect(structuredContent).toMatchObject({ projects: [{ id: project }] })
  const { data } = await ada.json<{ data: { id: string }[] }>(api.documents({ project_id: project }))
  await client.callTool(
    { name: 'search_passages', arguments: { document_ids: [data[0]!.id], query: 'naps' } },
    undefined,
    { onprogress: () => undefined },
  )
  expect(messages.slice(-2)).toMatchObject([
    { method: 'notifications/progress', params: { progress: 100, total: 100 } },
    { result: {} },
  ])
  await client.close()
  await direct.close()
  await expect(connect('http://127.0.0.1:9')).rejects.toThrow('cannot be reached')
})
