import { z } from 'zod'
import type { ComponentName } from '../../foundation/component-names.ts'
import { readData } from '../../foundation/files/data-file.ts'
import type { JsonSchema, OpenApiOperation, Parameter } from './openapi-document.ts'

/** What the documents say in prose and by example, which no rule of a route has. */
const Words = z.object({
  /** by name of a schema: what its members mean, `location.lat` within `location` */
  members: z.record(z.string(), z.record(z.string(), z.string())),
  /** by name: what a required parameter may be; where it names a thing of the component's, one of the demonstration if that has any */
  parameters: z.record(z.string(), z.string()).default({}),
  /** by operationId: its `request` and, by status, what it answers; `200 application/x-ndjson` where it can answer in several types */
  examples: z.record(z.string(), z.record(z.string(), z.unknown())),
})
export type Words = z.output<typeof Words>

const shared = readData('rest-adapters/documentation/words.json', Words)

/** Those of a component, with those of all. */
export function wordsOf(component: ComponentName): Words {
  const { members, parameters, examples } = readData(`rest-adapters/${component}/words.json`, Words)
  return { members: { ...shared.members, ...members }, parameters, examples: { ...shared.examples, ...examples } }
}

/** Schemas whose members say what they mean. @throws {Error} for words on a member that there is not */
export function describedSchemas(schemas: Readonly<Record<string, JsonSchema>>, { members }: Words): Readonly<Record<string, JsonSchema>> {
  const described = Object.entries(schemas).map(([name, schema]) => {
    const words = Object.entries(members[name] ?? {})
    return [
      name,
      words.reduce((known, [path, text]) => {
        const found = describedMember(known, path.split('.'), text)
        if (found === undefined) throw new Error(`there are words on ${name}.${path}, which is no member`)
        return found
      }, schema),
    ] as const
  })
  return Object.fromEntries(described)
}

/** The schema with a description of one member, in lists and under `anyOf`, too; undefined where it has no such member. */
function describedMember(schema: JsonSchema, [step = '', ...rest]: readonly string[], text: string): JsonSchema | undefined {
  const { properties, anyOf } = schema
  const member = isSchema(properties) ? properties[step] : undefined
  // what is said beside a reference not every reader sees: the schema that it leads to says it
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

/** The operation with an example of what it is sent, in its required parameters, too, and of each of its answers. */
export function withExamples(operation: OpenApiOperation, { parameters: values, examples }: Words): OpenApiOperation {
  const known = examples[operation.operationId] ?? {}
  const exemplified = (content: Contents, what: string): Contents =>
    Object.fromEntries(
      Object.entries(content).map(([type, media], at) => {
        const example = known[`${what} ${type}`] ?? (at === 0 ? known[what] : undefined)
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

/** What may be left out has no example: a page that is filled in by examples would ask for it. */
function exemplifiedParameter(parameter: Parameter, values: Words['parameters']): Parameter {
  const example = parameter.required ? values[parameter.name] : undefined
  return example === undefined ? parameter : { ...parameter, example }
}
