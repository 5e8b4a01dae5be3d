import { importsOf, roomOf, type SourceFile } from './source-files.ts'

/** The only stylesheets that are not CSS modules: the order of the layers, the tokens, the themes and the base styles. */
const GLOBAL_SHEETS = ['web/ui/styles.css', 'web/ui/tokens.css', 'web/ui/theme.css', 'web/ui/base.css']

/** Matches the permitted global classes: styled links, the dark theme and classes of libraries. */
const GLOBAL_CLASSES =
  /^(back-link|text-link|dot-separator|dark|lucide(-\w+)?|rdp-\w+|textLayer|endOfContent|selecting)$/

/** Minimum number of letters of a class name. A shorter name cannot describe a part of a screen. */
const SHORTEST_NAME = 3

const isModule = (path: string) => path.endsWith('.module.css')
const withoutComments = (css: string) => css.replaceAll(/\/\*[\s\S]*?\*\//g, '')
const classesOf = (selectors: string) => [...selectors.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!)

/**
 * Returns the selectors of the rules in a stylesheet. At-rules such as `@media` are excluded, but not the rules inside them.
 */
const selectorsOf = (css: string) =>
  [...withoutComments(css).matchAll(/([^{};]+)\{/g)]
    .map(([, text]) => text!.trim())
    .filter((text) => !text.startsWith('@'))

/** Returns the local classes that a CSS module defines. */
const ownClasses = (css: string) =>
  new Set(selectorsOf(css).flatMap((selector) => classesOf(selector.replaceAll(/:global\([^)]*\)/g, ''))))

/** Returns the global classes that a stylesheet uses: in a CSS module the classes in `:global(…)`, else all its classes. */
function globalClasses({ path, text }: SourceFile): string[] {
  if (!isModule(path)) return selectorsOf(text).flatMap(classesOf)
  return selectorsOf(text).flatMap((selector) =>
    [...selector.matchAll(/:global\(([^)]*)\)/g)].flatMap(([, inner]) => classesOf(inner!)),
  )
}

/** Returns the violations of the laws about stylesheets, as `file: law`. */
export function brokenStyles(sheets: SourceFile[], sources: SourceFile[]): string[] {
  const broken: string[] = []
  for (const sheet of sheets) {
    const { path, text } = sheet
    if (!isModule(path) && !GLOBAL_SHEETS.includes(path))
      broken.push(`${path}: a stylesheet is a CSS module; only ${GLOBAL_SHEETS.join(', ')} are global`)
    for (const name of new Set(globalClasses(sheet)))
      if (!GLOBAL_CLASSES.test(name)) broken.push(`${path}: the class ${name} is global`)
    if (!isModule(path)) continue
    const layer = path.startsWith('web/ui/') ? 'ui' : 'components'
    if (!withoutComments(text).trim().startsWith(`@layer ${layer} {`))
      broken.push(
        `${path}: its rules are in the layer ${layer}, so that a room can change a part and a utility class wins`,
      )
    for (const name of ownClasses(text))
      if (name.length < SHORTEST_NAME) broken.push(`${path}: the class ${name} has no descriptive name`)
  }
  return [
    ...broken,
    ...brokenUses(
      sheets.filter(({ path }) => isModule(path)),
      sources,
    ),
  ]
}

/**
 * Returns three kinds of violations: an import of another folder's CSS module, a used class without a rule, and a rule without
 * a use.
 */
function brokenUses(modules: SourceFile[], sources: SourceFile[]): string[] {
  const broken: string[] = []
  const used = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const { target } of importsOf(source)) {
      if (!isModule(target)) continue
      if (roomOf(target) !== roomOf(source.path))
        broken.push(`${source.path}: ${target} belongs to another folder; use a component of that folder`)
      const variable = new RegExp(`import (\\w+) from '[^']*${target.split('/').at(-1)!.replaceAll('.', '\\.')}'`)
      const name = variable.exec(source.text)?.[1] ?? 'styles'
      const names = used.get(target) ?? new Set()
      for (const [, part] of source.text.matchAll(new RegExp(`(?<![\\w-])${name}\\.(\\w+)`, 'g'))) names.add(part!)
      used.set(target, names)
    }
  }
  for (const { path, text } of modules) {
    const defined = ownClasses(text)
    const names = used.get(path) ?? new Set()
    for (const name of [...names].filter((one) => !defined.has(one)))
      broken.push(`${path}: the class ${name} has no rule`)
    for (const name of [...defined].filter((one) => !names.has(one)))
      broken.push(`${path}: no component uses the class ${name}`)
  }
  return broken
}
