import { describe, expect, it } from 'vitest'
import { base64Json } from './base64-json.ts'

describe('base64Json', () => {
  it.each([[[1]], [[1, 1]], [[3, 2, 4]], [[1, 70_000, 5]]])(
    'base64Json encodes chunks of %j bytes without loss',
    async (sizes: number[]) => {
      const pieces = sizes.map((size, n) => new Uint8Array(size).map((_, at) => (at * 7 + n) % 256))
      const source = new ReadableStream<Uint8Array>({
        start(out) {
          for (const piece of pieces) out.enqueue(piece)
          out.close()
        },
      })
      const answer = (await new Response(await base64Json(source, 'a "b".pdf')).json()) as {
        content: string
        name: string
      }
      expect(answer.name).toBe('a "b".pdf')
      expect(Buffer.from(answer.content, 'base64')).toEqual(Buffer.concat(pieces))
    },
  )

  it('base64Json refuses an empty file (MSG-70)', async () => {
    const nothing = new ReadableStream<Uint8Array>({ start: (out) => out.close() })
    await expect(base64Json(nothing, 'a.pdf')).rejects.toMatchObject({ message: 'Invalid file data received' })
  })
})
