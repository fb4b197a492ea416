import { type GraphQLSchema, getNullableType, isListType, isScalarType } from 'graphql'
import { z } from 'zod'
import { EngineUnavailable } from '../../foundation/fault.ts'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import type { GrantedPolicies } from './unmet-requirements.ts'

const Answer = z.object({ granted: z.array(z.string()) })

/**
 * Decides policies with a field of Query: `field(policies: [String!]!): [String!]!`, called on behalf of the caller once per operation that needs
 * policies. @param execute - executes without authorization
 * @throws {Error} if Query has no such field
 */
export function policiesByField(
  schema: GraphQLSchema,
  name: string,
  execute: (text: string, variables: Readonly<Record<string, unknown>>, context: RequestContext) => Promise<{ readonly data: unknown }>,
): GrantedPolicies<RequestContext> {
  const field = schema.getQueryType()?.getFields()[name]
  const resultType = field && getNullableType(field.type)
  const policiesArgument = field?.args.find((argument) => argument.name === 'policies')
  const fits =
    isListType(resultType) && isScalarType(getNullableType(resultType.ofType)) && isListType(getNullableType(policiesArgument?.type))
  if (!fits) throw new Error(`Query.${name} cannot decide policies: it must have the form ${name}(policies: [String!]!): [String!]!`)
  const text = `query ($policies: ${String(policiesArgument?.type)}) { granted: ${name}(policies: $policies) }`
  return async (policies, context) => {
    const { data } = await execute(text, { policies }, context)
    const answer = Answer.safeParse(data)
    if (!answer.success) throw new EngineUnavailable('policy decision', new Error(`Query.${name} did not return a list of policies`))
    return answer.data.granted
  }
}
