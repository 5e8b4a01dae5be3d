/** Removes unused weights from the fonts of the first screen. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './programs.mjs'

/** The font weights that remain. The stylesheets use no weight below 400, and the CSS value `bolder` can result in 900. */
const WEIGHTS = { min: 400, max: 900 }
const LATIN = /^(inter|source-serif-4)-latin-wght-(?:normal|italic)-.*\.woff2$/

/** Removes the weights below 400 from the fonts for Latin text in a built web app, which makes each file a third smaller. */
export async function limitFontWeights(folder) {
  const { default: subset } = await import('subset-font')
  const assets = join(folder, 'assets')
  for (const name of readdirSync(assets)) {
    const [, font] = LATIN.exec(name) ?? []
    if (!font) continue
    const file = join(assets, name)
    const limited = await subset(readFileSync(file), charactersOf(font), {
      targetFormat: 'woff2',
      variationAxes: { wght: WEIGHTS },
    })
    writeFileSync(file, limited)
  }
}

/** Returns the characters that the Latin file of a font must contain: a page loads that file for these characters. */
function charactersOf(font) {
  const path = join(root, 'node_modules', '@fontsource-variable', font, 'unicode.json')
  return JSON.parse(readFileSync(path, 'utf8'))
    .latin.split(',')
    .map((range) => range.replace('U+', '').split('-'))
    .flatMap(([first, last = first]) => {
      const start = Number.parseInt(first, 16)
      return Array.from({ length: Number.parseInt(last, 16) - start + 1 }, (_, index) =>
        String.fromCodePoint(start + index),
      )
    })
    .join('')
}
