import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

/** Output folder of vite-pdfjs-assets.ts. */
const ASSETS = '/assets/pdfjs/'

/** URL of the pdf.js worker script. The reader and the text extraction share it. */
export const pdfjsWorkerUrl: string = workerUrl

/**
 * Options of every getDocument call. Character maps, fonts and decoders come from this server, because the content
 * security policy allows no other server. XFA forms are disabled.
 */
export const pdfjsOptions = {
  cMapUrl: `${ASSETS}cmaps/`,
  cMapPacked: true,
  standardFontDataUrl: `${ASSETS}standard_fonts/`,
  wasmUrl: `${ASSETS}wasm/`,
  enableXfa: false,
  verbosity: 0,
} as const
