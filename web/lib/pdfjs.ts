import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

/** Where vite-pdfjs-assets.ts puts pdf.js's own files. */
const ASSETS = '/assets/pdfjs/'

/** Address of pdf.js's worker script; the reader and the extraction share it, so it is fetched once. */
export const pdfjsWorkerUrl: string = workerUrl

/**
 * What every getDocument call of the web app passes: character maps, standard fonts and decoders come from this server
 * (the content policy allows no other), and no form scripting language is run.
 */
export const pdfjsOptions = {
  cMapUrl: `${ASSETS}cmaps/`,
  cMapPacked: true,
  standardFontDataUrl: `${ASSETS}standard_fonts/`,
  wasmUrl: `${ASSETS}wasm/`,
  enableXfa: false,
  verbosity: 0,
} as const
