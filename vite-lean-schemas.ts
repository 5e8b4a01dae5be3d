import type { Plugin } from 'vite'

const SHARED = /[\\/]shared[\\/][^?]*\.ts$/
/** Matches the files of the web app. The entry contains the schemas of the search parameters of all screens. */
const WEB = /[\\/]web[\\/][^?]*\.tsx?$/
/** Matches the files of zod that convert a schema to JSON Schema. */
const JSON_SCHEMA = /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/
/**
 * Matches the functions in the files of JSON_SCHEMA to which every schema refers. The web app does not need them, because only
 * the server converts schemas to JSON Schema.
 */
const DESCRIBES = /^(?:\w+Processor|create\w+Method)$/
/** Matches calls that describe a schema, which only the documentation of the API needs. */
const DESCRIPTION = /\.describe\(\s*(['"`])(?:(?!\1)[^\\$]|\\.)*\1\s*,?\s*\)/g
/** Matches calls that return a schema: calls of zod, and calls that derive a schema from another schema. */
const SCHEMA = /^z\s*\.|\.(?:extend|omit|pick)\([^()]*(?:\([^()]*\)[^()]*)*\)$/

const LAZY = 'virtual:lazy-schema'
/**
 * Code of a function that returns a proxy. The proxy calls `make` at its first use and then has the properties of the created
 * object.
 */
const LAZY_CODE = `export function lazy(make) {
  let made
  return new Proxy({}, { get: (_, key) => (made ??= make())[key], has: (_, key) => key in (made ??= make()) })
}`

/**
 * Vite plugin that removes unused schemas and unused code of zod from the web app. A bundler cannot remove an unused schema,
 * because it is created by a chain of calls that may have side effects. The plugin marks these constants of `shared` as free of
 * side effects, and creates each schema, also those of `web`, only at its first use. It also removes the descriptions of schemas,
 * and replaces the functions for JSON Schema by empty functions.
 */
export function leanSchemas(): Plugin {
  return {
    name: 'lean-schemas',
    apply: 'build',
    enforce: 'post',
    resolveId: (id) => (id === LAZY ? `\0${LAZY}` : null),
    load: (id) => (id === `\0${LAZY}` ? { code: LAZY_CODE, moduleSideEffects: false } : null),
    transform: {
      filter: { id: [SHARED, WEB, JSON_SCHEMA] },
      handler(source, id) {
        if (WEB.test(id) && !source.includes("from 'zod'") && !source.includes('from "zod"')) return null
        const code = SHARED.test(id) ? source.replaceAll(DESCRIPTION, '') : source
        const isZod = JSON_SCHEMA.test(id)
        const constants = this.parse(code)
          .body.map((part) => (part.type === 'ExportNamedDeclaration' ? part.declaration : part))
          .flatMap((part) => (part?.type === 'VariableDeclaration' ? part.declarations : []))
        const replaced = constants.reduceRight((text, { id: name, init }) => {
          if (!init) return text
          const value = code.slice(init.start, init.end)
          const replace = (next: string) => text.slice(0, init.start) + next + text.slice(init.end)
          if (isZod) return name.type === 'Identifier' && DESCRIBES.test(name.name) ? replace('() => undefined') : text
          if (init.type !== 'CallExpression') return text
          if (SCHEMA.test(value)) return replace(`/* @__PURE__ */ lazy(() => ${value})`)
          return SHARED.test(id) ? replace(`/* @__PURE__ */ (() => ${value})()`) : text
        }, code)
        return { code: isZod ? replaced : `import { lazy } from '${LAZY}'\n${replaced}`, map: null }
      },
    },
  }
}
