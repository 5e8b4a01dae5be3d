import sharp from 'sharp'
import type { Plugin } from 'vite'

const BACKGROUND = '#0b5a5c'
/** SVG path of the logo in web/public/favicon.svg, in a square of 22 units. */
const MARK = 'M2.8 4.2 11 6.9l8.2-2.7v7.2L11 14.1l-8.2-2.7zM11 6.9v11.6M7.2 18.8h7.6'

/**
 * The icons of the installed app: file name, width in pixels, share of the width that the logo occupies, and radius of the
 * corners in percent.
 */
const ICONS: readonly [name: string, size: number, share: number, radius: number][] = [
  ['icon-192.png', 192, 0.68, 20],
  ['icon-512.png', 512, 0.68, 20],
  // Systems cut a maskable icon to a shape inside a circle of 80%.
  ['icon-maskable-512.png', 512, 0.5, 0],
  ['apple-touch-icon.png', 180, 0.6, 0],
]

const svg = (size: number, share: number, radius: number) => {
  const scale = (size * share) / 22
  const offset = (size * (1 - share)) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="100%" height="100%" rx="${radius}%" fill="${BACKGROUND}"/><g transform="translate(${offset} ${offset}) scale(${scale})" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"><path d="${MARK}"/></g></svg>`
}

/**
 * Vite plugin that creates the icons of the installed app, and adds links to the web app manifest and to the icon for Apple
 * devices to the HTML page.
 */
export function appIcons(): Plugin {
  return {
    name: 'app-icons',
    apply: 'build',
    async generateBundle() {
      for (const [name, size, share, radius] of ICONS) {
        const source = await sharp(Buffer.from(svg(size, share, radius)))
          .png({ compressionLevel: 9, palette: true })
          .toBuffer()
        this.emitFile({ type: 'asset', fileName: `icons/${name}`, source })
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
        { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/icons/apple-touch-icon.png' }, injectTo: 'head' },
      ],
    },
  }
}
