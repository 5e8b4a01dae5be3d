#!/usr/bin/env node
/**
 * Connects an MCP assistant that uses standard input and output to the MCP server of Lectern:
 * LECTERN_KEY=lct_… node bin/mcp.mjs --url https://lectern.example.org
 * Needs Node 18 or newer and no package.
 */
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { url: { type: 'string' } } })
const key = process.env.LECTERN_KEY
if (!values.url || !key) {
  console.error('Usage: LECTERN_KEY=lct_… node bin/mcp.mjs --url https://lectern.example.org')
  process.exit(2)
}
const address = new URL('/mcp', values.url)
const INTERNAL_ERROR = -32_603

/** The requests that have no response yet, by request id. A notification of the assistant can cancel them. */
const running = new Map()
/** The version of the MCP protocol on which the server and the assistant have agreed. */
let version

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
const fail = (id, message) => write({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } })

async function forward(message) {
  const { id, method } = message
  if (method === 'notifications/cancelled') running.get(message.params?.requestId)?.abort()
  const call = new AbortController()
  if (id !== undefined) running.set(id, call)
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version ? { 'mcp-protocol-version': version } : {}),
      },
      body: JSON.stringify(message),
      signal: call.signal,
    })
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) await readEvents(response.body)
    else await readAnswer(response, id)
  } catch (error) {
    if (id !== undefined && !call.signal.aborted)
      fail(id, `${address.origin} cannot be reached: ${error.cause?.message ?? error.message}`)
  } finally {
    running.delete(id)
  }
}

async function readAnswer(response, id) {
  const text = await response.text()
  if (text === '' && (response.ok || id === undefined)) return
  let answer
  try {
    answer = JSON.parse(text)
  } catch {
    return id === undefined ? undefined : fail(id, `${address.href} answered ${response.status} without JSON.`)
  }
  if (answer.jsonrpc === '2.0') receive(answer)
  else if (id !== undefined) fail(id, answer.error?.message ?? `${address.href} answered ${response.status}.`)
}

/** Reads a stream of server-sent events and passes each message to the assistant. Each event contains one message. */
async function readEvents(body) {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/)
    rest = events.pop()
    for (const event of events) {
      const data = event.split(/\r?\n/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.[1] ?? [])
      if (data.length > 0) receive(JSON.parse(data.join('\n')))
    }
  }
}

function receive(message) {
  version = message.result?.protocolVersion ?? version
  write(message)
}

// Requests run at the same time; the first one agrees on the version, so the others wait for it.
let first
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  let message
  try {
    message = JSON.parse(line)
  } catch {
    write({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'The line is not JSON.' } })
    continue
  }
  if (message.method === 'notifications/cancelled') void forward(message)
  else if (first === undefined) first = forward(message)
  else void first.then(() => forward(message))
}
