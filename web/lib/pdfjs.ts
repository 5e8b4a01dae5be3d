import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

/** URL path of the files of pdf.js, which vite-pdfjs-assets.ts writes during the build. */
const ASSETS = '/assets/pdfjs/'

/** URL of the pdf.js worker script. The reader and the text extraction share it. */
export const pdfjsWorkerUrl: string = workerUrl

/**
 * Options for every call of getDocument. Character maps, fonts and decoders are loaded from this server, because the content
 * security policy permits no other server. XFA forms are disabled.
 */
export const pdfjsOptions = {
  cMapUrl: `${ASSETS}cmaps/`,
  cMapPacked: true,
  standardFontDataUrl: `${ASSETS}standard_fonts/`,
  wasmUrl: `${ASSETS}wasm/`,
  enableXfa: false,
  verbosity: 0,
} as const
