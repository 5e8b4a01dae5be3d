import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received request. */
export interface SeenObjectRequest {
  method: string
  bucket: string
  key: string
  range: string | undefined
}

type Failure = 'unavailable' | 'denied' | 'drop' | 'cut' | 'hang'

/** A bucket on loopback with the part of S3 that the product uses (path-style). It can simulate failures. */
export interface S3Server {
  /** The S3_* settings of a server that stores its files in this bucket. */
  env: Record<string, string>
  objects: Map<string, Buffer>
  requests: SeenObjectRequest[]
  /**
   * Makes the next requests fail. 'unavailable' and 'denied' respond with 503 and 403, 'drop' closes the connection, 'cut'
   * sends half of an object and closes the connection, 'hang' never responds, null ends the failures. `times` limits the number
   * of failed requests.
   */
  fail: (how: Failure | null, times?: number) => void
  stop: () => Promise<void>
}

const BUCKET = 'papers'
const KEY_ID = 'test-key-id'
/** Number of objects on a page of a list. It is small, so that tests read several pages. */
const PAGE = 2
const REGION = 'test-region-1'
/**
 * Matches an Authorization header with AWS Signature Version 4: credential scope (day, region, service), signed headers, and 32
 * bytes in hex.
 */
const SIGNATURE = new RegExp(
  `^AWS4-HMAC-SHA256 Credential=${KEY_ID}/\\d{8}/${REGION}/s3/aws4_request, ?SignedHeaders=[a-z0-9;-]*host[a-z0-9;-]*, ?Signature=[0-9a-f]{64}$`,
)

/** Starts a server with an empty bucket on a free port. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const requests: SeenObjectRequest[] = []
  let failing: Failure | null = null
  let left = Infinity

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://bucket')
    const [, bucket = '', ...rest] = pathname.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    requests.push({ method: request.method ?? '', bucket, key, range: request.headers.range })
    left -= 1
    const failure = left < 0 ? null : failing
    if (failure === 'hang') return
    if (failure === 'drop') return void request.socket.destroy()
    if (failure === 'unavailable') return refuse(response, 503, 'ServiceUnavailable')
    if (failure === 'denied') return refuse(response, 403, 'AccessDenied')
    if (
      !SIGNATURE.test(request.headers.authorization ?? '') ||
      !/^\d{8}T\d{6}Z$/.test(String(request.headers['x-amz-date']))
    )
      return refuse(response, 403, 'SignatureDoesNotMatch')
    if (bucket !== BUCKET) return refuse(response, 404, 'NoSuchBucket')
    const { searchParams } = new URL(request.url ?? '/', 'http://bucket')
    if (key === '' && request.method === 'GET' && searchParams.get('list-type') === '2')
      return list(response, searchParams.get('continuation-token'))
    if (key === '')
      return request.method === 'HEAD' ? void response.writeHead(200).end() : refuse(response, 501, 'NotImplemented')
    if (request.method === 'PUT') return put(request, response, key)
    if (request.method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    return get(request, response, key, failure)
  }

  async function put(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    if (request.headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength')
    if (String(request.headers['content-encoding']).includes('aws-chunked'))
      return refuse(response, 501, 'NotImplemented')
    objects.set(key, body)
    response.writeHead(200, { etag: etagOf(body) }).end()
  }

  /** Sends a page of the objects, in the order of their keys (ListObjectsV2). */
  function list(response: ServerResponse, token: string | null): void {
    const keys = [...objects.keys()]
      .toSorted()
      .filter((key) => token === null || key > Buffer.from(token, 'hex').toString())
    const page = keys.slice(0, PAGE)
    const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)!.length}</Size></Contents>`)
    const next = keys.length > PAGE ? Buffer.from(page.at(-1)!).toString('hex') : null
    const more = next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== null}</IsTruncated>${contents.join('')}${more}</ListBucketResult>`,
      )
  }

  function get(request: IncomingMessage, response: ServerResponse, key: string, failure: Failure | null): void {
    const body = objects.get(key)
    if (!body) return refuse(response, 404, 'NoSuchKey')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]), body.length - 1)] : [0, body.length - 1]
    if (range && start >= body.length) return refuse(response, 416, 'InvalidRange')
    const part = body.subarray(start, end + 1)
    response.writeHead(range ? 206 : 200, {
      'content-length': part.length,
      'content-type': 'application/pdf',
      etag: etagOf(body),
      ...(range ? { 'content-range': `bytes ${start}-${end}/${body.length}` } : {}),
    })
    if (request.method === 'HEAD') return void response.end()
    if (failure !== 'cut') return void response.end(part)
    response.write(part.subarray(0, part.length >> 1), () => setTimeout(() => response.destroy(), 20))
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: REGION,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: KEY_ID,
      S3_SECRET_ACCESS_KEY: 'test-secret-key-of-the-bucket',
    },
    objects,
    requests,
    fail: (how, times = Infinity) => {
      failing = how
      left = times
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}

const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}
