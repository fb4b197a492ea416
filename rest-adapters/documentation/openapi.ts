import { z } from 'zod'
import type { ComponentName } from '../../foundation/process/build-info.ts'
import { type Caller, type Credential, documentedPath, type Method, serviceKeyHeader } from '../route/endpoint.ts'
import type { OperationRoute } from '../route/operation-route.ts'
import { Readiness } from '../route/readiness-route.ts'
import type { RequestRules } from '../route/request-rules.ts'
import type { FixedRoute, Route } from '../route/route.ts'
import type { FileRoute, PagesRoute, UploadRoute } from '../route/streaming-routes.ts'
import { JsonSchemas } from './json-schemas.ts'
import type { JsonSchema, OpenApi, OpenApiOperation, Parameter } from './openapi-document.ts'
import { operationName, tagDescriptions } from './operation-names.ts'
import { refusalsOf } from './refusals.ts'
import { conditionalTag, isTagged, retryHeaders, withHeaders } from './response-headers.ts'
import { describedSchemas, withExamples, wordsOf } from './words.ts'

const securitySchemes: Readonly<Record<Credential, Readonly<Record<string, string>>>> = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of an administrator, from POST /auth/login of the administration interface',
  },
  serviceKey: {
    type: 'apiKey',
    in: 'header',
    name: serviceKeyHeader,
    description: 'Key of a service that is registered with the platform',
  },
}

/** Version of the documented interface, not of the software. */
const interfaceVersion = '1.0.0'
const titles: Readonly<Record<ComponentName, string>> = {
  verification: 'Biometric verification service',
  exploration: 'Exploration backend',
  classification: 'Classification engine',
  administration: 'Administration interface',
  content: 'Content service',
}

/** Returns the OpenAPI document of a component; operations beyond the interface specification are marked `x-civigraph-extension`. */
export function openApiOf(component: ComponentName, routes: readonly Route[]): OpenApi {
  const schemas = new JsonSchemas()
  const words = wordsOf(component)
  const paths: Record<string, Partial<Record<Lowercase<Method>, OpenApiOperation>>> = {}
  for (const route of routes) {
    if (route.partOfPage) continue
    const path = documentedPath(route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: withExamples(operationOf(route, schemas), words) }
  }
  const used = new Set(routes.flatMap(credentialsOf))
  const schemes = Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name as Credential)))
  const description = 'Operations marked x-civigraph-extension are additions to the interface specification.'
  return {
    openapi: '3.1.0',
    info: { title: titles[component], version: interfaceVersion, description },
    servers: [{ url: '/', description: 'The server that serves this document' }],
    tags: tagsOf(paths),
    paths,
    components: { schemas: describedSchemas(schemas.named, words), ...(used.size === 0 ? {} : { securitySchemes: schemes }) },
  }
}

/** Returns the distinct tags of the operations. */
function tagsOf(paths: OpenApi['paths']): OpenApi['tags'] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const names = new Set(operations.flatMap(({ tags }) => tags))
  return [...names].map((name) => ({ name, description: tagDescriptions[name] ?? '' }))
}

const credentialsOfCaller: Readonly<Record<Caller, readonly Credential[]>> = {
  anyone: [],
  service: ['serviceKey'],
  admin: ['accessToken', 'serviceKey'],
}
const credentialsOf = ({ credentials, caller }: Route): readonly Credential[] => credentials ?? credentialsOfCaller[caller]

function operationOf(route: Route, schemas: JsonSchemas): OpenApiOperation {
  const { summary, description, extension, method, path } = route
  const parameters = [...('rules' in route ? parametersOf(route, schemas) : []), ...(isTagged(route) ? [conditionalTag] : [])]
  const credentials = credentialsOf(route)
  const { id, tag } = operationName(method, path)
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    operationId: id,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.kind === 'operation' && route.rules.body !== undefined
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemas.of(route.rules.body, 'input') } } } }
      : {}),
    ...(route.kind === 'upload' ? { requestBody: uploadedBody(route, schemas) } : {}),
    responses: { ...refusalsOf(route, credentials.length > 0, schemas), ...withHeaders(route, answersOf(route, schemas)) },
    security: credentials.map((name) => ({ [name]: [] })),
    ...(extension === undefined ? {} : { 'x-civigraph-extension': extension }),
  }
}

/** Returns the success responses of a route. */
function answersOf(route: Route, schemas: JsonSchemas): OpenApiOperation['responses'] {
  switch (route.kind) {
    case 'fixed':
      return fixedResponse(route)
    case 'readiness':
      return readinessResponses(schemas)
    case 'operation':
      return operationResponses(route, schemas)
    case 'socket':
      return { 101: { description: 'Switching Protocols' } }
    default:
      return longResponses(route, schemas)
  }
}

function fixedResponse({ mediaType }: FixedRoute): OpenApiOperation['responses'] {
  const type = mediaType.split(';', 1)[0] ?? mediaType
  return { 200: { description: 'OK', content: { [type]: { schema: { type: type === 'text/html' ? 'string' : 'object' } } } } }
}

function readinessResponses(schemas: JsonSchemas): OpenApiOperation['responses'] {
  const content = { 'application/json': { schema: schemas.of(Readiness, 'output') } }
  return { 200: { description: 'OK', content }, 503: { description: 'Down', headers: retryHeaders, content } }
}

/** `x-tenant-id` as `X-Tenant-Id` */
const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase())

function uploadedBody({ bodies }: UploadRoute, schemas: JsonSchemas): NonNullable<OpenApiOperation['requestBody']> {
  const content = Object.entries(bodies).map(([type, schema]) => [type, { schema: bodySchema(type, schemas.of(schema, 'input')) }])
  return { required: true, content: Object.fromEntries(content) }
}

function longResponses(route: PagesRoute | UploadRoute | FileRoute, schemas: JsonSchemas): OpenApiOperation['responses'] {
  const types: readonly (readonly [string, JsonSchema])[] =
    route.kind === 'file'
      ? [[route.mediaType, { type: 'string', format: 'binary' }]]
      : Object.entries(route.kind === 'upload' ? { 'application/json': route.answer } : route.answers).map(([type, schema]) => [
          type,
          bodySchema(type, schemas.of(schema, 'output')),
        ])
  return { 200: { description: 'OK', content: Object.fromEntries(types.map(([type, schema]) => [type, { schema }])) } }
}

/** Returns the schema of a body. JSON lines are documented in the description, because OpenAPI 3.1 has no schema for them (3.2 has `itemSchema`). */
function bodySchema(type: string, schema: JsonSchema): JsonSchema {
  if (type !== 'application/x-ndjson') return schema
  const description = `JSON lines: one object per line, each with the schema ${schema.$ref}`
  return { type: 'string', contentMediaType: type, description }
}

const sentences: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 503: 'Down' }

function operationResponses(route: OperationRoute, schemas: JsonSchemas): OpenApiOperation['responses'] {
  const { mediaType = 'application/json' } = route
  const answers = Object.entries(route.answers).map(([status, schema]) => [
    status,
    {
      description: sentences[Number(status)] ?? status,
      ...(status === '503' && { headers: retryHeaders }),
      content: { [mediaType]: { schema: schemas.of(schema, 'output') } },
    },
  ])
  return Object.fromEntries(answers)
}

function parametersOf({ rules }: { readonly rules: RequestRules }, schemas: JsonSchemas): readonly Parameter[] {
  const members = (where: 'path' | 'query' | 'header', rule: z.ZodObject | undefined): readonly Parameter[] =>
    Object.entries(rule?.shape ?? {}).map(([name, type]) => {
      const { description, ...schema } = schemas.of(type as z.ZodType, 'input')
      return {
        name: where === 'header' ? headerName(name) : name,
        in: where,
        required: where === 'path' || !z.safeParse(type, undefined).success,
        ...(typeof description === 'string' ? { description } : {}),
        schema,
      }
    })
  return [...members('path', rules.params), ...members('query', rules.query), ...members('header', rules.header)]
}
