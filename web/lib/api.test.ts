import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { ApiError, anything, messageOf, request } from './api.ts'

describe('error messages', () => {
  it.each([
    ['an error', new Error(''), 'Unknown error occurred'],
    ['a refused call', new ApiError(500, 'failed', ''), 'Unknown error occurred'],
    ['a value that is not an error', { oops: true }, 'Unknown error occurred'],
  ])("An error message of %s without words is 'Unknown error occurred' (ERR-05)", (_what, error, words) => {
    expect(messageOf(error)).toBe(words)
    expect(messageOf(error, 'Failed to save document')).toBe('Failed to save document')
  })

  it('An error message is readable for an unparsable response and for a broken connection', async () => {
    expect(messageOf(new SyntaxError("Unexpected token '<'"))).toContain('this page cannot read')
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"data":', () => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await expect(request(`http://127.0.0.1:${port}/`, { schema: anything })).rejects.toMatchObject({
      status: 0,
      message: 'The server cannot be reached. Check your connection and try again.',
    })
    server.close()
  })

  it.each([
    ['the API', { error: { code: 'conflict', message: 'The name is taken.' } }, 'conflict', 'The name is taken.'],
    [
      'a server function',
      { error: 'Not authenticated with Google Drive' },
      'failed',
      'Not authenticated with Google Drive',
    ],
    ['a proxy', { message: 'No upstream' }, 'failed', 'No upstream'],
    ['something else', ['oops'], 'failed', 'An unknown error occurred.'],
  ])('An error message comes from the response of %s', async (_what, body, code, message) => {
    const server = createServer((_, response) => response.writeHead(422).end(JSON.stringify(body)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await expect(request(`http://127.0.0.1:${port}/`, { schema: anything })).rejects.toMatchObject({ code, message })
    server.close()
  })

  it('An error message is the message of the error when it has one', () => {
    expect(messageOf(new Error('The disk is full.'))).toBe('The disk is full.')
    expect(messageOf(new ApiError(422, 'refused', 'The name is taken.'))).toBe('The name is taken.')
  })
})
