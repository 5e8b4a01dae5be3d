import type { Plugin } from 'vite'

/** The font files that every page needs. The browser loads the others when a text needs them. */
const FIRST = /^assets\/(?:inter|source-serif-4)-latin-wght-normal-.*\.woff2$/

/** Preloads these fonts with the stylesheet, so that the width of text does not change after the first paint. */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => FIRST.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}
