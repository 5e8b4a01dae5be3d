import { deflateSync } from 'node:zlib'
import { below, seeded } from '#tests/helpers/random.ts'

/** A file from an attacker, or a file that a disk or a download has damaged. */
export interface HostileFile {
  name: string
  bytes: Buffer
}

const latin = (text: string) => Buffer.from(text, 'latin1')

/**
 * Returns a PDF of these objects with a correct cross-reference table. Object 1 is the catalog. `trailer`: further entries of
 * the trailer.
 */
function pdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  for (const [at, body] of objects.entries()) {
    const bytes = Buffer.concat([latin(`${at + 1} 0 obj\n`), Buffer.from(body), latin('\nendobj\n')])
    offsets.push(length)
    parts.push(bytes)
    length += bytes.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  parts.push(
    latin(`xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count} /Root 1 0 R ${trailer}>>\n`),
    latin(`startxref\n${length}\n%%EOF\n`),
  )
  return Buffer.concat(parts)
}

function stream(dictionary: string, content: Buffer): Buffer {
  return Buffer.concat([
    latin(`<< ${dictionary} /Length ${content.length} >>\nstream\n`),
    content,
    latin('\nendstream'),
  ])
}

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const page = (more = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${more}>>`
const TEXT = stream('', latin('BT /F1 12 Tf 72 720 Td (A plain sentence on a page.) Tj ET'))

/** Returns a PDF of one page with a sentence. `parts` replaces or adds objects of the PDF. */
const onePage = (parts: { catalog?: string; page?: string; content?: Buffer; more?: (string | Buffer)[] }) =>
  pdf([parts.catalog ?? CATALOG, PAGES, parts.page ?? page(), parts.content ?? TEXT, FONT, ...(parts.more ?? [])])

/** Returns a stream of `megabytes` of spaces that is compressed `times` times with Flate, so that it is very small. */
function bomb(megabytes: number, times: number): Buffer {
  let content = Buffer.alloc(megabytes * 1_000_000, 0x20)
  for (let round = 0; round < times; round++) content = deflateSync(content, { level: 9 })
  return stream(`/Filter [${'/FlateDecode '.repeat(times)}]`, content)
}

/** Names of files of `madeByHand` that a worker processes until its time limit ends it. */
export const SLOW = ['states that are never restored']

/** Returns PDFs that each have one defect or one attack. `good`: a valid PDF, parts of which are used. */
export function madeByHand(good: Buffer): HostileFile[] {
  const files: Record<string, Buffer> = {
    'no bytes': Buffer.alloc(0),
    'only the first line': latin('%PDF-1.7\n'),
    'a web page': latin('<!doctype html><script>alert(1)</script>'),
    'a web page behind the first line': latin('%PDF-1.4\n<script>alert(1)</script>'),
    'zeros behind the first line': Buffer.concat([latin('%PDF-1.7\n'), Buffer.alloc(100_000)]),
    'cut in half': good.subarray(0, good.length >> 1),
    'without its last bytes': good.subarray(0, good.length - 40),
    'only its last half': Buffer.concat([latin('%PDF-1.7\n'), good.subarray(good.length >> 1)]),
    'twice in a row': Buffer.concat([good, good]),
    'a wrong place of the table': latin(good.toString('latin1').replace(/startxref\s+\d+/g, 'startxref\n99999999')),
    'a negative place of the table': latin(good.toString('latin1').replace(/startxref\s+\d+/g, 'startxref\n-5')),
    'a catalog that is its own page tree': pdf(['<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] /Count 1 >>']),
    'a page tree in a circle': pdf([
      CATALOG,
      '<< /Type /Pages /Kids [3 0 R] /Count 9 >>',
      '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 9 >>',
    ]),
    'a page that is its own content': pdf([CATALOG, PAGES, '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>']),
    'a length that refers to its stream': pdf([
      CATALOG,
      PAGES,
      page(),
      latin('<< /Length 4 0 R >>\nstream\nBT (x) Tj ET\nendstream'),
      FONT,
    ]),
    'a thousand million pages': pdf([
      CATALOG,
      '<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>',
      page(),
      TEXT,
      FONT,
    ]),
    'a negative number of pages': pdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count -7 >>', page(), TEXT, FONT]),
    'a page as large as a country': onePage({
      page: page().replace('[0 0 612 792]', '[0 0 99999999999 99999999999]'),
    }),
    'a page without any size': onePage({ page: page().replace('[0 0 612 792]', '[0 0 0 0]') }),
    'an enormous picture': onePage({
      page: page().replace('/Font <<', '/XObject << /I 6 0 R >> /Font <<'),
      content: stream('', latin('q 500 0 0 500 50 50 cm /I Do Q')),
      more: [
        stream(
          '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode',
          deflateSync(Buffer.alloc(1_000_000)),
        ),
      ],
    }),
    'a form that draws itself': onePage({
      page: page().replace('/Font <<', '/XObject << /X 6 0 R >> /Font <<'),
      content: stream('', latin('/X Do')),
      more: [
        stream(
          '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>',
          latin('/X Do /X Do'),
        ),
      ],
    }),
    'arrays fifty thousand deep': onePage({
      catalog: CATALOG.replace('>>', `/A ${'['.repeat(50_000)}${']'.repeat(50_000)} >>`),
    }),
    'dictionaries fifty thousand deep': onePage({
      catalog: CATALOG.replace('>>', `/A ${'<</A '.repeat(50_000)}1${'>>'.repeat(50_000)} >>`),
    }),
    'brackets that never close': onePage({ content: stream('', latin('('.repeat(200_000))) }),
    'states that are never restored': onePage({ content: stream('', latin('q '.repeat(500_000))) }),
    'a stream of 300 MB in 300 kB': onePage({ content: bomb(300, 1) }),
    'a stream packed three times over': onePage({ content: bomb(200, 3) }),
    'a script that opens with it': onePage({
      catalog: CATALOG.replace('>>', '/OpenAction << /S /JavaScript /JS (while\\(true\\){}) >> >>'),
    }),
    'a program that opens with it': onePage({
      catalog: CATALOG.replace('>>', '/OpenAction << /S /Launch /F (/bin/sh) >> >>'),
    }),
    'an address that opens with it': onePage({
      catalog: CATALOG.replace('>>', '/OpenAction << /S /URI /URI (http://127.0.0.1:1/) >> >>'),
    }),
    'a content in another file': onePage({
      content: latin('<< /Length 0 /F (/etc/passwd) /FFilter /FlateDecode >>\nstream\n\nendstream'),
    }),
    'an encryption that is none': pdf(
      [CATALOG, PAGES, page(), TEXT, FONT],
      '/Encrypt << /Filter /Unknown /V 99 /R 99 >> ',
    ),
    'a font that is noise': onePage({
      more: [
        stream(
          '/Length1 9000 /Subtype /Type1C',
          Buffer.from(Array.from({ length: 9000 }, (_, at) => (at * 7919) % 256)),
        ),
      ],
    }),
    'an object that is defined a hundred thousand times': Buffer.concat([
      latin('%PDF-1.7\n'),
      latin('1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n'.repeat(100_000)),
    ]),
    'tables that lead to each other': latin(
      `%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 1 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF\n`,
    ),
  }
  return Object.entries(files).map(([name, bytes]) => ({ name, bytes }))
}

const WORDS = [
  'obj',
  'endobj',
  'stream',
  'endstream',
  '/Length',
  '/Kids',
  '/Count',
  '/Filter',
  'R',
  '<<',
  '>>',
  '99999999',
]
const TAGS = [
  '<item>',
  '</item>',
  '<![CDATA[',
  ']]>',
  '&',
  '&bomb;',
  '<!DOCTYPE x [',
  '<title',
  '\u0000',
  '<?xml encoding="x"?>',
]

/** Returns a copy of a valid PDF with one to twenty random changes. Equal seeds return equal files. */
export function mutate(good: Buffer, seed: number): HostileFile {
  const bytes = wound(good, seed, WORDS)
  // A file without the PDF header is refused before its content is read, so most changes preserve the header.
  if (seed % 10 !== 0) latin('%PDF-1.7\n').copy(bytes, 0)
  return { name: `mutation ${seed}`, bytes }
}

/** Returns a copy of a binary file other than a PDF, such as an image, with random changes. Equal seeds return equal files. */
export const mutateBytes = (good: Buffer, seed: number): Buffer => wound(good, seed, ['\u00ff\u00d8', 'IHDR', 'RIFF'])

/** Returns a copy of a feed (XML) with random changes. Equal seeds return equal files. */
export const mutateText = (good: string, seed: number): Buffer => wound(Buffer.from(good), seed, TAGS)

function wound(good: Buffer, seed: number, words: readonly string[]): Buffer {
  const random = seeded(seed)
  let bytes = Buffer.from(good)
  for (let count = 1 + below(random, 20); count > 0; count--) {
    const at = below(random, bytes.length)
    const end = Math.min(bytes.length, at + 1 + below(random, 200))
    switch (below(random, 6)) {
      case 0:
        bytes[at] = below(random, 256)
        break
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
        break
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
        break
      case 3:
        bytes.fill(below(random, 256), at, end)
        break
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          latin(` ${words[below(random, words.length)]} `),
          bytes.subarray(at),
        ])
        break
      default:
        bytes.copy(bytes, below(random, bytes.length), at, end)
    }
  }
  return bytes
}
