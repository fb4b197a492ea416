import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'

/** The rules of docs/graphql-conventions.md and, beside each, the exceptions that the document states. */

/** Lists that are read in one direction and not counted: `totalCount` would read them to their end. */
const uncounted = ['ExpressionConnection', 'RemovedContentConnection']
/** Lists whose pages have up to 1,000 nodes, as REST documents for the same data. */
const longPages = [
  'ContentNode.children',
  'Query.auditTrail',
  'Query.callbackDeliveries',
  'Query.contentSubtree',
  'Query.verificationResults',
]
/** Arguments beside `filter` of lists: the object or time that the list belongs to, a search, and numbered pages. */
const otherArguments = [
  'Query.contentSubtree(id)',
  'Query.contentSubtree(tenantId)',
  'Query.contentTrash(tenantId)',
  'Query.delegations(offset)',
  'Query.delegationsAt(at)',
  'Query.searchExpressions(input)',
  'Query.similarExpressions(id)',
]
/** Opaque values that identify no object. */
const opaque = ['ActiveAuthenticationInput.nonce', 'LivenessInput.nonce', 'Query.reviewImage(token)']
/** Abbreviations that are the established name, most of them in documented REST values as well. */
const abbreviations = ['CNI', 'CSV', 'DOB', 'IBAN', 'ID', 'KNN', 'LLM', 'MRZ', 'NDJSON', 'OCR', 'OK']
/** Mutations that delete objects without a global id: a deletion in the trash is no Node. */
const withoutNode = ['purgeContentNode']
/** Text in a format of its own that REST documents or RFC 6749 defines. */
const structuredText = ['MapView.geoJson', 'SessionPayload.scope']

const pageArguments = ['first', 'after', 'last', 'before']
const defaultPage = 20
const deletes = /^(delete|erase|purge|redrive|withdraw)[A-Z]/
const structured = /\b(json|separated by|key=value)\b|<\w+>: </i
/** Texts of a taxonomy that is being edited: an editor needs all of them, and no fallback. */
const editedLabels = ['TaxonomyDraftDomain', 'TaxonomyRetirement']
/** Pages of rows, or of text, for exports: neither edges nor totalCount. */
const exportPages = ['Query.expressionExport']

type Member = GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument

/** Returns a sentence for each place of a graph that breaks a convention; deprecated members are exempt, because they keep their names. */
export function schemaFindings(graph: GraphQLSchema): readonly string[] {
  const types = Object.values(graph.getTypeMap()).filter((type) => !isIntrospectionType(type))
  return [
    ...types.flatMap(namingOf),
    ...types.filter(isObjectType).flatMap(connectionFindings),
    ...types.filter(isObjectType).flatMap(labelFindings),
    ...types.filter(isEnumType).flatMap(enumFindings),
    ...types.flatMap(scalarFindings),
    ...types.flatMap((type) => membersOf(type).flatMap(({ place, member }) => memberFindings(place, member))),
    ...types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()).flatMap((field) => listFindings(type, field))),
    ...Object.values(graph.getMutationType()?.getFields() ?? {}).flatMap(deletionFindings),
  ]
}

/** Fields, input fields and arguments of a type that are not deprecated. */
function membersOf(type: GraphQLNamedType): readonly { readonly place: string; readonly member: Member }[] {
  if (isInputObjectType(type))
    return current(Object.values(type.getFields())).map((member) => ({ place: `${type.name}.${member.name}`, member }))
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  return current(Object.values(type.getFields())).flatMap((field) => [
    { place: `${type.name}.${field.name}`, member: field },
    ...current(field.args).map((member) => ({ place: `${type.name}.${field.name}(${member.name})`, member })),
  ])
}

const current = <Each extends { readonly deprecationReason?: string | null | undefined }>(all: readonly Each[]): readonly Each[] =>
  all.filter(({ deprecationReason }) => deprecationReason == null)

function namingOf(type: GraphQLNamedType): string[] {
  const { name } = type
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name) || name === 'JSON') return name === 'JSON' ? [] : [`${name}: types are in PascalCase`]
  if (isInputObjectType(type) && !name.endsWith('Input')) return [`${name}: input types end in Input`]
  return membersOf(type)
    .filter(({ member }) => !/^[a-z][A-Za-z0-9]*$/.test(member.name))
    .map(({ place }) => `${place}: fields and arguments are in camelCase`)
}

function connectionFindings(type: GraphQLObjectType): string[] {
  const fields = type.getFields()
  const { name } = type
  if (fields.edges === undefined && fields.pageInfo === undefined)
    return name.endsWith('Connection') ? [`${name}: a Connection has edges and pageInfo`] : []
  const missing = ['nodes', 'edges', 'pageInfo', ...(uncounted.includes(name) ? [] : ['totalCount'])].filter(
    (each) => fields[each] === undefined,
  )
  return [
    ...(name.endsWith('Connection') ? [] : [`${name}: the type of a page ends in Connection`]),
    ...missing.map((each) => `${name}: the page has no ${each}`),
    ...(fields.edges !== undefined && !getNamedType(fields.edges.type).name.endsWith('Edge') ? [`${name}.edges: edges end in Edge`] : []),
  ]
}

function labelFindings(type: GraphQLObjectType): string[] {
  const { label, labels } = type.getFields()
  if (labels === undefined || editedLabels.includes(type.name)) return []
  return label?.args.some(({ name }) => name === 'lang') ? [] : [`${type.name}.labels: \`label(lang:)\` is beside it`]
}

function enumFindings(type: GraphQLEnumType): string[] {
  return current(type.getValues()).flatMap(({ name, description }) => [
    ...(description ? [] : [`${type.name}.${name}: the value has no description`]),
    ...(isDeprecatedEnum(type) || isWhole(name) ? [] : [`${type.name}.${name}: enum values are whole words in upper case`]),
  ])
}

/** `DeclaredGender`, which `Gender` replaces; a type cannot be deprecated. */
const isDeprecatedEnum = ({ name }: GraphQLEnumType): boolean => name === 'DeclaredGender'

const isWhole = (value: string): boolean =>
  value.split('_').every((word) => abbreviations.includes(word) || /^(?=.*[AEIOUY])[A-Z]{2,}$/.test(word))

function scalarFindings(type: GraphQLNamedType): string[] {
  if (!isScalarType(type) || isSpecifiedScalarType(type) || type.specifiedByURL) return []
  return [`${type.name}: the scalar has no @specifiedBy`]
}

function memberFindings(place: string, member: Member): string[] {
  const type = getNullableType(member.type)
  const isInput = !('args' in member)
  const isId = getNamedType(member.type).name === 'ID'
  const findings: string[] = []
  if (isInput && isId && !opaque.includes(place)) {
    const ending = isListType(type) ? /(^ids|Ids)$/ : /(^id|Id)$/
    if (!ending.test(member.name)) findings.push(`${place}: ids end in ${isListType(type) ? 'Ids' : 'Id'}`)
  }
  if (
    isInput &&
    /Filter(Input)?\./.test(place) &&
    isListType(type) !== /s$/.test(member.name) &&
    !/(ss|us)$/.test(member.name) &&
    !isMeasure(member)
  )
    findings.push(`${place}: a list in a filter has a plural name, a single value a singular one`)
  if (isInput && /^(since|until|begin|start|end)(s|At|Date)?$/.test(member.name)) findings.push(`${place}: periods are \`from\` and \`to\``)
  if (isInput && /^(sort|sortBy|order|ordering)$/.test(member.name)) findings.push(`${place}: the order of a list is \`orderBy\``)
  if (
    getNamedType(member.type).name === 'String' &&
    structured.test(member.description ?? '') &&
    !isInput &&
    !structuredText.includes(place)
  )
    findings.push(`${place}: a structure is a type, not text`)
  if (/^(pass|passes)$/.test(member.name) && getNamedType(member.type).name !== 'Int') findings.push(`${place}: \`pass\` is an abstention`)
  return findings
}

/** Whether a name states a unit, such as `minAgeMinutes`, or a condition. */
const isMeasure = ({ type }: Member): boolean => ['Boolean', 'Float', 'Int'].includes(getNamedType(type).name)

function listFindings(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): string[] {
  const place = `${type.name}.${field.name}`
  if (!getNamedType(field.type).name.endsWith('Connection')) {
    const isPaged = field.args.some(({ name }) => name === 'after') && current(field.args).some(({ name }) => name !== 'after')
    const isStream = type.name === 'Subscription'
    return isPaged && !isStream && !exportPages.includes(place) ? [`${place}: the type of a page ends in Connection`] : []
  }
  const first = field.args.find(({ name }) => name === 'first')
  const most = /1 to ([\d,]+)/.exec(first?.description ?? '')?.[1]
  const largest = longPages.includes(place) ? '1,000' : '100'
  return [
    ...(isSingle(field.type) ? [] : [`${place}: a connection is not in a list`]),
    ...(first?.defaultValue === defaultPage ? [] : [`${place}(first): the default page has ${defaultPage} nodes`]),
    ...(most === largest ? [] : [`${place}(first): the largest page has ${largest} nodes`]),
    ...current(field.args)
      .filter(({ name }) => ![...pageArguments, 'filter', 'orderBy'].includes(name) && !otherArguments.includes(`${place}(${name})`))
      .map(({ name }) => `${place}(${name}): a list is restricted by \`filter\``),
  ]
}

const isSingle = (type: GraphQLOutputType): boolean => !isListType(isNonNullType(type) ? type.ofType : type)

function deletionFindings({ name, type }: GraphQLField<unknown, unknown>): string[] {
  const payload = getNamedType(type)
  if (!deletes.test(name) || withoutNode.includes(name) || !isObjectType(payload)) return []
  const { deletedNodeId, deletedNodeIds } = payload.getFields()
  return deletedNodeId === undefined && deletedNodeIds === undefined
    ? [`${payload.name}: the payload of a deletion has deletedNodeId or deletedNodeIds`]
    : []
}
