import { z } from 'zod'
import type { ComponentName } from '../../subgraphs/foundation/component-names.ts'
import { type Caller, type Credential, documentedPath, type Method, serviceKeyHeader } from '../route/endpoint.ts'
import type { FixedRoute } from '../route/fixed-route.ts'
import type { OperationRoute } from '../route/operation-route.ts'
import { Readiness } from '../route/readiness-route.ts'
import type { RequestRules } from '../route/request-rules.ts'
import type { Route } from '../route/route.ts'
import type { FileRoute, PagesRoute, UploadRoute } from '../route/streaming-routes.ts'
import { JsonSchemas } from './json-schemas.ts'
import type { JsonSchema, OpenApi, OpenApiOperation, Parameter } from './openapi-document.ts'

const securitySchemes: Readonly<Record<Credential, Readonly<Record<string, string>>>> = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'of an administrator: POST /auth/login of the administration interface',
  },
  serviceKey: { type: 'apiKey', in: 'header', name: serviceKeyHeader, description: 'of a service that the platform knows' },
}

/** Of the documented interface, not of the software. */
const interfaceVersion = '1.0.0'
const titles: Readonly<Record<ComponentName, string>> = {
  verification: 'Biometric verification service',
  exploration: 'Exploration backend',
  classification: 'Classification engine',
  administration: 'Administration interface',
  content: 'Content service',
}

/** The document of a component's routes. Operations that the interface specification does not have are marked `x-civigraph-extension`. */
export function openApiOf(component: ComponentName, routes: readonly Route[]): OpenApi {
  const schemas = new JsonSchemas()
  const paths: Record<string, Partial<Record<Lowercase<Method>, OpenApiOperation>>> = {}
  for (const route of routes) {
    if (route.kind === 'fixed' && route.partOfPage) continue
    const path = documentedPath(route.path)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) }
  }
  const used = new Set(routes.flatMap(credentialsOf))
  const schemes = Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name as Credential)))
  const description = 'Operations marked x-civigraph-extension are additions to the interface specification.'
  return {
    openapi: '3.1.0',
    info: { title: titles[component], version: interfaceVersion, description },
    paths,
    components: { schemas: schemas.named, ...(used.size === 0 ? {} : { securitySchemes: schemes }) },
  }
}

const credentialsOfCaller: Readonly<Record<Caller, readonly Credential[]>> = {
  anyone: [],
  service: ['serviceKey'],
  admin: ['accessToken', 'serviceKey'],
}
const credentialsOf = ({ credentials, caller }: Route): readonly Credential[] => credentials ?? credentialsOfCaller[caller]

function operationOf(route: Route, schemas: JsonSchemas): OpenApiOperation {
  const { summary, description, extension, method, path } = route
  const parameters = 'rules' in route ? parametersOf(route, schemas) : []
  const credentials = credentialsOf(route)
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    operationId: `${method.toLowerCase()}${path.replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase()) || 'Root'}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.kind === 'operation' && route.rules.body !== undefined
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemas.of(route.rules.body, 'input') } } } }
      : {}),
    ...(route.kind === 'upload' ? { requestBody: uploadedBody(route, schemas) } : {}),
    responses:
      route.kind === 'fixed'
        ? fixedResponse(route)
        : route.kind === 'readiness'
          ? readinessResponses(schemas)
          : route.kind === 'operation'
            ? responsesOf(route, parameters.length > 0, schemas)
            : route.kind === 'socket'
              ? socketResponses(schemas)
              : longResponses(route, schemas),
    ...(credentials.length === 0 ? {} : { security: credentials.map((name) => ({ [name]: [] })) }),
    ...(extension === undefined ? {} : { 'x-civigraph-extension': extension }),
  }
}

function fixedResponse({ mediaType }: FixedRoute): OpenApiOperation['responses'] {
  const type = mediaType.split(';', 1)[0] ?? mediaType
  return { 200: { description: 'OK', content: { [type]: { schema: type === 'text/html' ? { type: 'string' } : {} } } } }
}

function readinessResponses(schemas: JsonSchemas): OpenApiOperation['responses'] {
  const content = { 'application/json': { schema: schemas.of(Readiness, 'output') } }
  return { 200: { description: 'OK', content }, 503: { description: 'Down', content } }
}

/** `x-tenant-id` as `X-Tenant-Id` */
const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase())

function uploadedBody({ bodies }: UploadRoute, schemas: JsonSchemas): NonNullable<OpenApiOperation['requestBody']> {
  const content = Object.entries(bodies).map(([type, schema]) => [type, { schema: schemas.of(schema, 'input') }])
  return { required: true, content: Object.fromEntries(content) }
}

function longResponses(route: PagesRoute | UploadRoute | FileRoute, schemas: JsonSchemas): OpenApiOperation['responses'] {
  const types: readonly (readonly [string, JsonSchema])[] =
    route.kind === 'file'
      ? [[route.mediaType, {}]]
      : Object.entries(route.kind === 'upload' ? { 'application/json': route.answer } : route.answers).map(([type, schema]) => [
          type,
          schemas.of(schema, 'output'),
        ])
  const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })
  return {
    200: { description: 'OK', content: Object.fromEntries(types.map(([type, schema]) => [type, { schema }])) },
    422: { description: 'Validation Error', ...json(schemas.of(HttpValidationError, 'output')) },
    default: { description: 'Refused', ...json(schemas.of(HttpError, 'output')) },
  }
}

const socketResponses = (schemas: JsonSchemas): OpenApiOperation['responses'] => ({
  101: { description: 'Switching Protocols' },
  default: { description: 'Refused', content: { 'application/json': { schema: schemas.of(HttpError, 'output') } } },
})

const sentences: Readonly<Record<number, string>> = { 200: 'OK', 202: 'Accepted', 503: 'Down' }

function responsesOf(route: OperationRoute, hasParameters: boolean, schemas: JsonSchemas): OpenApiOperation['responses'] {
  const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })
  const { mediaType = 'application/json' } = route
  const answers = Object.entries(route.answers).map(([status, schema]) => [
    status,
    { description: sentences[Number(status)] ?? status, content: { [mediaType]: { schema: schemas.of(schema, 'output') } } },
  ])
  const refused = hasParameters || route.rules.body !== undefined
  return {
    ...Object.fromEntries(answers),
    ...(refused ? { 422: { description: 'Validation Error', ...json(schemas.of(HttpValidationError, 'output')) } } : {}),
    ...(Object.hasOwn(route.answers, 'default') ? {} : { default: { description: 'Refused', ...json(schemas.of(HttpError, 'output')) } }),
  }
}

function parametersOf(
  { rules, caller }: { readonly rules: RequestRules; readonly caller: Caller },
  schemas: JsonSchemas,
): readonly Parameter[] {
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
  const key: Parameter = { name: serviceKeyHeader, in: 'header', required: true, schema: { type: 'string' } }
  return [
    ...members('path', rules.params),
    ...members('query', rules.query),
    ...members('header', rules.header),
    ...(caller === 'service' ? [key] : []),
  ]
}

/** The documented refusals. */
const ValidationError = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    type: z.string(),
    input: z.unknown().optional(),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ValidationError' })
const HttpValidationError = z.object({ detail: z.array(ValidationError).optional() }).meta({ id: 'HTTPValidationError' })
const HttpError = z.object({ detail: z.string() }).meta({ id: 'Refusal' })
