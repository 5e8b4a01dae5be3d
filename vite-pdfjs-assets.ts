import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const BASE = 'assets/pdfjs/'

/** Folders of pdfjs-dist from which its workers load files, with the files to serve. */
const FOLDERS = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(?:pfb|ttf)$/,
  wasm: /^(?:jbig2|openjpeg|qcms_bg)\.(?:wasm|js)$|_nowasm_fallback\.js$/,
}

/**
 * Serves the character maps, standard fonts and decoders of pdf.js from /assets/pdfjs/, in the built app and in the
 * development server, so that no PDF causes requests to another host.
 */
export function pdfjsAssets(): Plugin {
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  const files = Object.entries(FOLDERS).flatMap(([folder, wanted]) =>
    readdirSync(join(root, folder))
      .filter((name) => wanted.test(name))
      .map((name) => `${folder}/${name}`),
  )
  return {
    name: 'pdfjs-assets',
    configureServer(server) {
      server.middlewares.use(`/${BASE.slice(0, -1)}`, (request, response, next) => {
        const name = (request.url ?? '').replace(/^\/|\?.*$/g, '')
        if (!files.includes(name)) return next()
        response.setHeader(
          'content-type',
          name.endsWith('.wasm')
            ? 'application/wasm'
            : name.endsWith('.js')
              ? 'text/javascript'
              : 'application/octet-stream',
        )
        response.end(readFileSync(join(root, name)))
      })
    },
    generateBundle() {
      // The separate build of a worker runs this too. Emitting the same files twice is harmless.
      for (const name of files)
        this.emitFile({ type: 'asset', fileName: BASE + name, source: readFileSync(join(root, name)) })
    },
  }
}
