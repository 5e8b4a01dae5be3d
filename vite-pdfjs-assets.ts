import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const BASE = 'assets/pdfjs/'

/** Folders of pdfjs-dist from which the workers of pdf.js load files, each with a pattern of the files to serve. */
const FOLDERS = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.pfb$/,
  wasm: /^(?:jbig2|openjpeg|qcms_bg)\.(?:wasm|js)$|_nowasm_fallback\.js$/,
}

/**
 * Maps the file names under which pdf.js requests substitutes for Helvetica and Arial to files of the font Arimo. Arimo has the
 * same character widths and a permissive licence; the fonts in pdfjs-dist are under the GPL.
 */
const SANS_FONTS = {
  'LiberationSans-Regular.ttf': '400Regular/Arimo_400Regular.ttf',
  'LiberationSans-Italic.ttf': '400Regular_Italic/Arimo_400Regular_Italic.ttf',
  'LiberationSans-Bold.ttf': '700Bold/Arimo_700Bold.ttf',
  'LiberationSans-BoldItalic.ttf': '700Bold_Italic/Arimo_700Bold_Italic.ttf',
}

/**
 * Vite plugin that serves the character maps, standard fonts and decoders of pdf.js from /assets/pdfjs/, in the built app and
 * in the development server, so that no PDF causes requests to other hosts.
 */
export function pdfjsAssets(): Plugin {
  const files = assetFiles()
  return {
    name: 'pdfjs-assets',
    configureServer(server) {
      server.middlewares.use(`/${BASE.slice(0, -1)}`, (request, response, next) => {
        const name = (request.url ?? '').replace(/^\/|\?.*$/g, '')
        const file = files.get(name)
        if (file === undefined) return next()
        response.setHeader(
          'content-type',
          name.endsWith('.wasm')
            ? 'application/wasm'
            : name.endsWith('.js')
              ? 'text/javascript'
              : 'application/octet-stream',
        )
        response.end(readFileSync(file))
      })
    },
    generateBundle() {
      // The separate build of a worker runs this too. Emitting the same files twice is harmless.
      for (const [name, file] of files)
        this.emitFile({ type: 'asset', fileName: BASE + name, source: readFileSync(file) })
    },
  }
}

/** Returns the files to serve. Maps their paths below /assets/pdfjs/ to their paths on disk. */
function assetFiles(): Map<string, string> {
  const require = createRequire(import.meta.url)
  const pdfjs = dirname(require.resolve('pdfjs-dist/package.json'))
  const arimo = dirname(require.resolve('@expo-google-fonts/arimo/package.json'))
  return new Map([
    ...Object.entries(FOLDERS).flatMap(([folder, wanted]) =>
      readdirSync(join(pdfjs, folder))
        .filter((name) => wanted.test(name))
        .map((name): [string, string] => [`${folder}/${name}`, join(pdfjs, folder, name)]),
    ),
    ...Object.entries(SANS_FONTS).map(([name, file]): [string, string] => [
      `standard_fonts/${name}`,
      join(arimo, file),
    ]),
  ])
}
