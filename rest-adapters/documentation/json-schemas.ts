import { z } from 'zod'
import type { JsonSchema } from './openapi-document.ts'

/** Converts zod schemas to JSON schemas; schemas with an id become components of the document. */
export class JsonSchemas {
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
        // both sides ignore unknown members
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        // the limits of safe integers are not rules of the interface
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
        // listOf checks the length before the items: only the second half of its pipe has the item schema
        if (!(zodSchema instanceof z.ZodPipe) || !(zodSchema.in instanceof z.ZodUnknown) || !(zodSchema.out instanceof z.ZodArray)) return
        // all schemas are built with the classic interface of zod
        jsonSchema.items = this.of(zodSchema.out.element as z.ZodType, io) as z.core.JSONSchema.JSONSchema
      },
    })
    for (const [name, definition] of Object.entries($defs ?? {})) this.named[name] = inDocument(definition)
    return inDocument(schema)
  }
}

/** Removes the id that zod repeats and rewrites references to the components of the document. */
function inDocument({ id: _, ...schema }: z.core.JSONSchema.JSONSchema): JsonSchema {
  // the value round-trips through JSON
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema
}
