import { posix } from 'node:path'
import type { SourceFile } from './source-files.ts'

const CODE = /^```[\s\S]*?^```|`[^`\n]*`/gm
const LINK = /\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g

/** Returns the anchor that GitHub creates for a heading in Markdown. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
    .trim()
    .toLowerCase()
    .replaceAll(' ', '-')

/** Returns the anchors of the headings of a Markdown file. */
const anchorsOf = (text: string) =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!))

/**
 * Returns the links in Markdown files whose target file or heading does not exist, as `file: link`. Ignores links to web sites
 * and links in code. `exists` receives a path relative to the root of the repository.
 */
export function brokenLinks(pages: readonly SourceFile[], exists: (path: string) => boolean): string[] {
  const texts = new Map(pages.map(({ path, text }) => [path, text]))
  return pages.flatMap(({ path, text }) =>
    [...text.replaceAll(CODE, '').matchAll(LINK)]
      .map(([, markdown, html]) => (markdown ?? html)!)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file))
        if (!exists(target)) return true
        const page = texts.get(target)
        return anchor !== undefined && page !== undefined && !anchorsOf(page).includes(anchor)
      })
      .map((link) => `${path}: ${link}`),
  )
}

/** Returns the `npm run` commands in Markdown files that are not in `scripts` (of package.json), as `file: command`. */
export const unknownCommands = (pages: readonly SourceFile[], scripts: readonly string[]): string[] =>
  pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\bnpm run ([\w:-]+)/g)]
      .filter(([, name]) => !scripts.includes(name!))
      .map(([command]) => `${path}: ${command}`),
  )
