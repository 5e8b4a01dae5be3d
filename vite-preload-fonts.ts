import type { Plugin } from 'vite'

/** Matches the font files that every page needs. The browser loads other font files only when a text needs them. */
const FIRST = /^assets\/(?:inter|source-serif-4)-latin-wght-normal-.*\.woff2$/

/**
 * Vite plugin that makes the page preload the font files that every page needs, together with the stylesheet, so that the width
 * of text does not change after the first paint.
 */
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
