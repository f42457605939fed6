import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { errorBody, errorCatalog } from '#contract/core/errors.ts'

type JsonObject = Record<string, unknown>

/** The table of calls as an OpenAPI 3.1 document. */
export function openApiDocument(table: Readonly<Record<string, Endpoint>>, version: string): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [name, endpoint] of Object.entries(table)) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Lorgnette', version, description: 'The calls of the clinic server, printed from the table that server and app share.' },
    paths,
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: schemaOf(errorBody, 'output') },
    },
  }
}

const contentNames: Record<string, string> = { json: 'application/json', file: '*/*' }

function operationOf(name: string, endpoint: Endpoint): JsonObject {
  const content = endpoint.answers ?? 'json'
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.path.startsWith('/api/') ? endpoint.path.split('/')[2] : 'upload'],
    ...(endpoint.access !== 'public' && { security: [{ session: [] }] }),
    ...(endpoint.access !== 'public' && endpoint.access !== 'signed-in' && { 'x-permission': endpoint.access }),
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemaOf(endpoint.body, 'input') },
          ...(endpoint.form && { 'multipart/form-data': { schema: formSchema(endpoint.form, endpoint.body) } }),
        },
      },
    }),
    ...(endpoint.takes === 'form' && {
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } } },
      },
    }),
    responses: {
      200: {
        description: 'Done',
        content: { [contentNames[content] ?? content]: { schema: schemaOf(endpoint.response, 'output') } },
      },
      ...refusalsOf(endpoint),
      default: { description: 'Not done', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    },
  }
}

function formSchema({ fields, files }: NonNullable<Endpoint['form']>, body: GenericSchema): JsonObject {
  const bytes = { type: 'string', contentMediaType: 'application/octet-stream' }
  return {
    type: 'object',
    properties: { [fields]: schemaOf(body, 'input'), ...Object.fromEntries(files.map((name) => [name, bytes])) },
  }
}

function refusalsOf(endpoint: Endpoint): JsonObject {
  const byStatus: Record<string, { description: string; content: JsonObject }> = {}
  for (const code of endpoint.refuses ?? []) {
    const { status, message } = errorCatalog[code]
    const line = `\`${code}\`: ${message}`
    const former = byStatus[status]
    byStatus[status] = {
      description: former ? `${former.description}\n\n${line}` : line,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    }
  }
  return byStatus
}

function parametersOf(schema: GenericSchema | undefined, place: 'path' | 'query'): JsonObject[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

/** Checks that JSON Schema cannot say (such as `trim`) are left out. */
function schemaOf(schema: GenericSchema, typeMode: 'input' | 'output') {
  const { $schema: _, ...rest } = toJsonSchema(schema, { target: 'draft-2020-12', errorMode: 'ignore', typeMode })
  return rest
}
