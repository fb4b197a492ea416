import { GraphQLError, type GraphQLSchema, isObjectType } from 'graphql'

/** Errors of one execution: each costs time, and an invalid argument may fail for each item of many lists. */
export const maxErrors = 1000

/** Has a path, so that graphql-js reports it as it is for any number of fields instead of creating an error for each. */
const refusal = new GraphQLError(`More than ${maxErrors} fields failed; further ones are null`, {
  path: [],
  extensions: { code: 'LIMIT_EXCEEDED' },
})

/** Limits the errors of each execution of a schema: fields that fail after the first 1,000, or begin after that, share one error. */
export function limitErrors(schema: GraphQLSchema): void {
  /** by the variables of an execution, which are an object of its own */
  const failures = new WeakMap<object, number>()
  const hasFailed = (variables: object): boolean => (failures.get(variables) ?? 0) >= maxErrors
  const fail = (variables: object, error: unknown): never => {
    if (hasFailed(variables)) throw refusal
    failures.set(variables, (failures.get(variables) ?? 0) + 1)
    throw error
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field
      if (resolve === undefined) continue
      field.resolve = (source, args, context, info) => {
        const { variableValues } = info
        if (hasFailed(variableValues)) throw refusal
        try {
          const result: unknown = resolve(source, args, context, info)
          return result instanceof Promise ? result.catch((error: unknown) => fail(variableValues, error)) : result
        } catch (error) {
          return fail(variableValues, error)
        }
      }
    }
  }
}
