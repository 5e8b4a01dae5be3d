import type { Plugin } from 'vite'

/** The faces that every page begins with; the other scripts and styles come when a text needs them. */
const FIRST = /^assets\/(?:inter|source-serif-4)-latin-opsz-normal-.*\.woff2$/

/** Asks for the first two faces along with the stylesheet, so that words do not change their width after they are read. */
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
