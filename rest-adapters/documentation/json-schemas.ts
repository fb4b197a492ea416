import { z } from 'zod'
import type { JsonSchema } from './openapi-document.ts'

/** Turns rules into JSON schemas, those with an id into components of the document. */
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
        // Members that a reader does not know are ignored, on both sides.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        // that JavaScript counts no further is no rule of ours
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
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
