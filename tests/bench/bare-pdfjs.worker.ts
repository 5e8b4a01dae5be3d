import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

// The limit of the engine: pdf.js reads the text of every page without further work.
const assets = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

parentPort?.on('message', (task: { path: string }) => void read(task.path))

async function read(path: string) {
  const loading = getDocument({
    data: new Uint8Array(await readFile(path)),
    cMapUrl: `${join(assets, 'cmaps')}/`,
    standardFontDataUrl: `${join(assets, 'standard_fonts')}/`,
    wasmUrl: `${join(assets, 'wasm')}/`,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  })
  const pdf = await loading.promise
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    await page.getTextContent()
    page.cleanup()
  }
  const pages = pdf.numPages
  await loading.destroy()
  parentPort?.postMessage({ result: { pageCount: pages } })
}
