import type { EditorState } from '@codemirror/state'
import { getSchema, offsetToPos } from 'cm6-graphql'
import { type GraphQLType, getNamedType, isNamedType } from 'graphql'
import { getTokenAtPosition, getTypeInfo } from 'graphql-language-service'

/** A schema element that an operation refers to. */
export interface Subject {
  readonly type: string
  readonly field?: string
  /** in schema notation */
  readonly signature: string
  readonly description?: string | undefined
}

/** Returns the schema element at a position of an operation; undefined without one, or without a schema. */
export function subjectAt(state: EditorState, position: number): Subject | undefined {
  const schema = getSchema(state)
  if (!schema) return undefined
  const token = getTokenAtPosition(state.doc.toString(), offsetToPos(state.doc, position), 1)
  const { kind, step } = token.state
  const { fieldDef, parentType, argDef, type, enumValue, inputType } = getTypeInfo(schema, token.state)
  if (kind === 'Argument' && step === 0 && argDef)
    return {
      type: nameOf(argDef.type),
      signature: `${argDef.name}: ${argDef.type}`,
      description: argDef.description ?? undefined,
    }
  if (kind === 'EnumValue' && enumValue && inputType)
    return { type: nameOf(inputType), signature: enumValue.name, description: enumValue.description ?? undefined }
  if ((kind === 'Field' || kind === 'AliasedField') && fieldDef && isNamedType(parentType))
    return {
      type: parentType.name,
      field: fieldDef.name,
      signature: `${parentType.name}.${fieldDef.name}: ${fieldDef.type}`,
      description: fieldDef.description ?? undefined,
    }
  if (kind === 'NamedType' && isNamedType(type))
    return { type: type.name, signature: type.name, description: type.description ?? undefined }
  return undefined
}

const nameOf = (type: GraphQLType): string => getNamedType(type).name
