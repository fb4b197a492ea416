import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'
import type { ComponentName } from '../../foundation/process/build-info.ts'
import type { JsonSchema, OpenApiOperation, Parameter } from './openapi-document.ts'

/** Descriptions and examples of the documents, which the rules of routes do not contain. */
const Words = z.object({
  /** descriptions of members by schema name and path, such as `location.lat` */
  members: z.record(z.string(), z.record(z.string(), z.string())),
  /** example values of required parameters by name; ids are those of the demonstration data */
  parameters: z.record(z.string(), z.string()).default({}),
  /** examples by operationId: `request`, and responses by status or by status and media type, such as `200 application/x-ndjson` */
  examples: z.record(z.string(), z.record(z.string(), z.unknown())),
})
export type Words = z.output<typeof Words>

const shared = readData('rest-adapters/documentation/words.json', Words)

/** Returns the words of a component, including the shared ones. */
export function wordsOf(component: ComponentName): Words {
  const { members, parameters, examples } = readData(`rest-adapters/${component}/words.json`, Words)
  return { members: { ...shared.members, ...members }, parameters, examples: { ...shared.examples, ...examples } }
}

/** Adds the descriptions to the members of the schemas. @throws {Error} for a description of an unknown member */
export function describedSchemas(schemas: Readonly<Record<string, JsonSchema>>, { members }: Words): Readonly<Record<string, JsonSchema>> {
  const described = Object.entries(schemas).map(([name, schema]) => {
    const words = Object.entries(members[name] ?? {})
    return [
      name,
      words.reduce((current, [path, text]) => {
        const withMember = describedMember(current, path.split('.'), text)
        if (withMember === undefined) throw new Error(`words.json describes ${name}.${path}, but the schema has no such member`)
        return withMember
      }, schema),
    ] as const
  })
  return Object.fromEntries(described)
}

/** Describes one member, also within lists and `anyOf`. Returns undefined when the schema has no such member. */
function describedMember(schema: JsonSchema, [step = '', ...rest]: readonly string[], text: string): JsonSchema | undefined {
  const { properties, anyOf } = schema
  const member = isSchema(properties) ? properties[step] : undefined
  // some tools ignore siblings of `$ref`: the referenced schema has the description
  if (isSchema(member) && !('$ref' in member)) {
    const described = rest.length === 0 ? { ...member, description: text } : describedMember(member, rest, text)
    return described && { ...schema, properties: { ...(properties as JsonSchema), [step]: described } }
  }
  for (const within of ['items', 'additionalProperties']) {
    const inner = schema[within]
    const described = isSchema(inner) ? describedMember(inner, [step, ...rest], text) : undefined
    if (described !== undefined) return { ...schema, [within]: described }
  }
  if (!Array.isArray(anyOf)) return undefined
  const branches = anyOf.map((branch: JsonSchema) => describedMember(branch, [step, ...rest], text))
  return branches.some((branch) => branch !== undefined)
    ? { ...schema, anyOf: branches.map((branch, at) => branch ?? anyOf[at]) }
    : undefined
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

type Contents = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

/** Adds examples to the request, the required parameters and the responses of an operation. */
export function withExamples(operation: OpenApiOperation, { parameters: values, examples }: Words): OpenApiOperation {
  const ofOperation = examples[operation.operationId] ?? {}
  const exemplified = (content: Contents, what: string): Contents =>
    Object.fromEntries(
      Object.entries(content).map(([type, media], at) => {
        const example = ofOperation[`${what} ${type}`] ?? (at === 0 ? ofOperation[what] : undefined)
        return [type, example === undefined ? media : { ...media, example }]
      }),
    )
  const { parameters, requestBody, responses } = operation
  const answers = Object.entries(responses).map(([status, response]) => [
    status,
    response.content === undefined ? response : { ...response, content: exemplified(response.content, status) },
  ])
  return {
    ...operation,
    ...(parameters && { parameters: parameters.map((each) => exemplifiedParameter(each, values)) }),
    ...(requestBody && { requestBody: { ...requestBody, content: exemplified(requestBody.content, 'request') } }),
    responses: Object.fromEntries(answers),
  }
}

/** Optional parameters get no example: a page that is filled in from examples would send them. */
function exemplifiedParameter(parameter: Parameter, values: Words['parameters']): Parameter {
  const example = parameter.required ? values[parameter.name] : undefined
  return example === undefined ? parameter : { ...parameter, example }
}
