import type { Plugin } from 'vite'

const SHARED = /[\\/]shared[\\/][^?]*\.ts$/
/** The parts of zod that describe a schema as JSON Schema. */
const JSON_SCHEMA = /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/
/** Their functions to which every schema refers. Only the server describes schemas. */
const DESCRIBES = /^(?:\w+Processor|create\w+Method)$/

/**
 * Removes what the web app does not use of zod and of the contract. The bundler includes a schema that nothing uses,
 * because it is a chain of calls. So each such constant of `shared` becomes the result of one call that is marked as free
 * of side effects. The functions for JSON Schema become empty.
 */
export function leanSchemas(): Plugin {
  return {
    name: 'lean-schemas',
    apply: 'build',
    enforce: 'post',
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
          return init.type === 'CallExpression' ? replace(`/* @__PURE__ */ (() => ${value})()`) : text
        }, code)
        return { code: replaced, map: null }
      },
    },
  }
}
