import { z } from 'zod'
import type { ComponentName } from '../../subgraphs/foundation/graphql/subgraph.ts'
import { pageHeaders } from '../../web/shared/page-file.ts'
import {
  type Caller,
  type Credential,
  documentedPath,
  type FixedRoute,
  fixed,
  type Method,
  type OneRoute,
  type RequestRules,
  type Route,
  serviceKeyHeader,
} from '../route/route.ts'
import type { FileRoute, PagesRoute, UploadRoute } from '../route/streaming-routes.ts'
import { documentationPage } from './documentation-page.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface OpenApiOperation {
  readonly summary: string
  readonly description?: string
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
  /** any of them will do */
  readonly security?: readonly Readonly<Partial<Record<Credential, readonly []>>>[]
  readonly 'x-civigraph-extension'?: true
}

/** An OpenAPI 3.1 document, as far as we write one. */
export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Lowercase<Method>, OpenApiOperation>>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes?: Readonly<Partial<Record<Credential, Readonly<Record<string, string>>>>>
  }
}

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

/** `/openapi.json` and `/docs` of a component, made from its other routes. */
export function describingRoutes(component: ComponentName, routes: readonly Route[]): readonly FixedRoute[] {
  const describing = (document: string, docs: string): readonly FixedRoute[] => [
    fixed({
      path: '/openapi.json',
      summary: 'This document',
      extension: true,
      mediaType: 'application/json',
      content: document,
    }),
    fixed({
      path: '/docs',
      summary: 'This document as a page',
      extension: true,
      mediaType: 'text/html; charset=utf-8',
      headers: pageHeaders(),
      content: docs,
    }),
  ]
  const document = openApiOf(component, [...routes, ...describing('', '')])
  return describing(JSON.stringify(document), documentationPage(document))
}

/** The document of a component's routes. Operations that the interface specification does not have are marked `x-civigraph-extension`. */
export function openApiOf(component: ComponentName, routes: readonly Route[]): OpenApi {
  const schemas = new Schemas()
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

function operationOf(route: Route, schemas: Schemas): OpenApiOperation {
  const { summary, description, extension, method, path } = route
  const parameters = route.kind === 'fixed' ? [] : parametersOf(route, schemas)
  const credentials = credentialsOf(route)
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    operationId: `${method.toLowerCase()}${path.replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase()) || 'Root'}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.kind === 'one' && route.rules.body !== undefined
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemas.of(route.rules.body, 'input') } } } }
      : {}),
    ...(route.kind === 'upload' ? { requestBody: uploadedBody(route, schemas) } : {}),
    responses:
      route.kind === 'fixed'
        ? fixedResponse(route)
        : route.kind === 'one'
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

/** `x-tenant-id` as `X-Tenant-Id` */
const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase())

function uploadedBody({ bodies }: UploadRoute, schemas: Schemas): NonNullable<OpenApiOperation['requestBody']> {
  const content = Object.entries(bodies).map(([type, schema]) => [type, { schema: schemas.of(schema, 'input') }])
  return { required: true, content: Object.fromEntries(content) }
}

function longResponses(route: PagesRoute | UploadRoute | FileRoute, schemas: Schemas): OpenApiOperation['responses'] {
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

const socketResponses = (schemas: Schemas): OpenApiOperation['responses'] => ({
  101: { description: 'Switching Protocols' },
  default: { description: 'Refused', content: { 'application/json': { schema: schemas.of(HttpError, 'output') } } },
})

const sentences: Readonly<Record<number, string>> = { 200: 'OK', 202: 'Accepted', 503: 'Down' }

function responsesOf(route: OneRoute, hasParameters: boolean, schemas: Schemas): OpenApiOperation['responses'] {
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
  schemas: Schemas,
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

/** Turns rules into JSON schemas, those with an id into components of the document. */
class Schemas {
  readonly named: Record<string, JsonSchema> = {}

  of(rule: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...schema
    } = z.toJSONSchema(rule, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        // Members that a reader does not know are ignored, on both sides.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        // listOf counts before it looks at the items: only its second half knows what they are.
        if (!(zodSchema instanceof z.ZodPipe) || !(zodSchema.in instanceof z.ZodUnknown) || !(zodSchema.out instanceof z.ZodArray)) return
        // every schema of ours is made by zod's classic interface
        jsonSchema.items = this.of(zodSchema.out.element as z.ZodType, io) as z.core.JSONSchema.JSONSchema
      },
    })
    for (const [name, definition] of Object.entries($defs ?? {})) this.named[name] = inDocument(definition)
    return inDocument(schema)
  }
}

/** A schema without the id that zod repeats in it, with references that lead into the document. */
function inDocument({ id: _, ...schema }: z.core.JSONSchema.JSONSchema): JsonSchema {
  // JSON in, JSON out
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema
}
