import type { Plugin } from 'vite'

const SHARED = /[\\/]shared[\\/][^?]*\.ts$/
/** The parts of zod that describe a schema as JSON Schema. */
const JSON_SCHEMA = /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/
/**
 * The functions of these files to which every schema refers. The web app does not need them, because only the server describes
 * schemas.
 */
const DESCRIBES = /^(?:\w+Processor|create\w+Method)$/
/** Calls that return a schema: those of zod, and those that derive a schema from another one. */
const SCHEMA = /^z\s*\.|\.(?:extend|omit|pick)\([^()]*(?:\([^()]*\)[^()]*)*\)$/

const LAZY = 'virtual:lazy-schema'
/** A proxy of an object that `make` returns when it is first used. Its properties belong to the object. */
const LAZY_CODE = `export function lazy(make) {
  let made
  return new Proxy({}, { get: (_, key) => (made ??= make())[key], has: (_, key) => key in (made ??= make()) })
}`

/**
 * Removes what the web app does not use of zod and of the contract. The bundler includes a schema that nothing uses,
 * because it is a chain of calls. So each such constant of `shared` becomes the result of one call that is marked as free
 * of side effects. A schema is made when it is first used: a screen uses a few of the hundreds in its files. The functions for
 * JSON Schema become empty.
 */
export function leanSchemas(): Plugin {
  return {
    name: 'lean-schemas',
    apply: 'build',
    enforce: 'post',
    resolveId: (id) => (id === LAZY ? `\0${LAZY}` : null),
    load: (id) => (id === `\0${LAZY}` ? { code: LAZY_CODE, moduleSideEffects: false } : null),
    transform: {
      filter: { id: [SHARED, JSON_SCHEMA] },
      handler(code, id) {
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
          return replace(
            SCHEMA.test(value) ? `/* @__PURE__ */ lazy(() => ${value})` : `/* @__PURE__ */ (() => ${value})()`,
          )
        }, code)
        return { code: isZod ? replaced : `import { lazy } from '${LAZY}'\n${replaced}`, map: null }
      },
    },
  }
}
