import { OpenAPIHono, z, type RouteConfig } from '@hono/zod-openapi'
import type { AppBindings } from '#server/http/router.ts'
import * as contract from './contract.ts'

type Json = Record<string, unknown>
type App = OpenAPIHono<AppBindings>

const COMPONENTS = '#/components/schemas/'

/** The component name of each schema that the contract exports. It is the name of the export with a capital first letter. */
const names = z.registry<{ id: string }>()
for (const file of Object.values(contract))
  for (const [name, value] of Object.entries(file))
    if (isComponent(value)) names.add(value, { id: name[0]!.toUpperCase() + name.slice(1) })

/**
 * Returns whether a schema of the contract becomes a component of the OpenAPI document. Objects, discriminated unions and enums
 * do; a string or a number with a rule is described in place.
 */
function isComponent(value: unknown): value is z.ZodType {
  if (value instanceof z.ZodPipe) return isComponent(value.in)
  return value instanceof z.ZodObject || value instanceof z.ZodEnum || value instanceof z.ZodDiscriminatedUnion
}

/**
 * Returns a copy of `app` from which the OpenAPI document is created, and `schemas`, the JSON schemas of that document by name.
 * The copy has the routes without their handlers. If the contract exports the schema of a JSON body, the route in the copy
 * refers to the entry of that name in `schemas`. (zod-to-openapi can name schemas, but its references to nullable schemas do
 * not accept null.)
 */
export function nameSchemas(app: App): { app: App; schemas: Json } {
  const copy: App = new OpenAPIHono()
  const found: Json = {}
  for (const definition of app.openAPIRegistry.definitions)
    if (definition.type === 'route') copy.openAPIRegistry.registerPath(withReferences(definition.route, found))
    else if (definition.type === 'component')
      copy.openAPIRegistry.registerComponent(definition.componentType, definition.name, definition.component)
  const schemas = Object.fromEntries(Object.entries(found).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return { app: copy, schemas }
}

function withReferences(route: RouteConfig, schemas: Json): RouteConfig {
  const { body } = route.request ?? {}
  return {
    ...route,
    ...(body
      ? { request: { ...route.request, body: { ...body, content: contentOf(body.content, schemas) } } }
      : undefined),
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, response]) => [
        status,
        'content' in response && response.content
          ? { ...response, content: contentOf(response.content, schemas) }
          : response,
      ]),
    ),
  }
}

function contentOf(content: { 'application/json'?: object }, schemas: Json): object {
  const json = content['application/json']
  if (!json || !('schema' in json) || !(json.schema instanceof z.ZodType)) return content
  return { ...content, 'application/json': { ...json, schema: referencesOf(json.schema, schemas) } }
}

/** Returns `schema` as JSON Schema. Adds each component to which the result refers to `schemas`. */
function referencesOf(schema: z.ZodType, schemas: Json): Json {
  const {
    $schema: _draft,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    metadata: names,
    // A field with a default is optional in a body.
    io: 'input',
    unrepresentable: 'any',
    // Descriptions are in the registry of zod, not in `names`.
    override: ({ zodSchema, jsonSchema }) => {
      const { description } = z.globalRegistry.get(zodSchema) ?? {}
      if (description !== undefined) jsonSchema.description = description
    },
  })
  for (const [name, component] of Object.entries($defs ?? {})) schemas[name] ??= simplified(component)
  return simplified(json) as Json
}

/**
 * Returns a JSON Schema without parts that readers and client generators do not need: the pattern of a format, the limits of
 * safe integers, and `propertyNames` that allow any text. A nullable text or number gets a list of types instead of a union.
 */
function simplified(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^#\/\$defs\//, COMPONENTS)
  if (Array.isArray(value)) return value.map(simplified)
  if (value === null || typeof value !== 'object') return value
  const { propertyNames, pattern, minimum, maximum, anyOf, ...rest } = value as Json
  const [first, second, ...others] = (anyOf ?? []) as Json[]
  const isNullable = second?.['type'] === 'null' && others.length === 0
  if (isNullable && typeof first?.['type'] === 'string' && !('enum' in first) && !('properties' in first))
    return simplified({ ...first, type: [first['type'], 'null'], ...rest })
  return Object.fromEntries(
    Object.entries({
      ...rest,
      ...(pattern === undefined || 'format' in rest ? undefined : { pattern }),
      ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? undefined : { minimum }),
      ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : { maximum }),
      ...(anyOf === undefined ? undefined : { anyOf }),
      ...((propertyNames as Json | undefined)?.['$ref'] ? { propertyNames } : undefined),
    }).map(([name, part]) => [name, name === 'properties' ? simplifiedEach(part as Json) : simplified(part)]),
  )
}

/**
 * Simplifies the schema of each property. Does not treat the names of properties as JSON Schema keywords, although they can be
 * equal: a property can have the name 'pattern'.
 */
const simplifiedEach = (properties: Json) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, simplified(schema)]))
