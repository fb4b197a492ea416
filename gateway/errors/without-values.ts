import { type GraphQLError, Kind } from 'graphql'

/**
 * Returns the message of a graphql-js error without values of the caller: a literal may be a photograph or a name. Names of types, fields and
 * arguments are kept.
 */
export function sentenceOf(error: GraphQLError): string {
  const node = error.nodes?.[0]
  if (node === undefined || !literals.has(node.kind) || /^Field "[\w.]+" of required type/.test(error.message))
    return cutNames(withoutValues(error.message))
  const [, type] =
    /(?:^Expected value of type|does not exist in|^Enum) "([\w[\]!]+)"/.exec(error.message) ??
    /^(\w+) cannot represent/.exec(error.message) ??
    []
  return type === undefined ? 'The value does not fit.' : cutNames(`Expected a value of type "${type}".`)
}

/** Maximum length of caller text that an error repeats. */
export const maxEchoLength = 100

/** Truncates quoted text. */
const cutNames = (message: string): string => message.replace(/"([^"]{100})[^"]+"/g, '"$1…"')

const literals = new Set<string>([Kind.STRING, Kind.INT, Kind.FLOAT, Kind.BOOLEAN, Kind.ENUM, Kind.LIST, Kind.OBJECT, Kind.NULL])

/** Removes quoted values from a message without a known location. */
export function withoutValues(message: string): string {
  return message
    .replace(/(Unexpected|found) (String|BlockString|Int|Float|Comment) ".*/s, '$1 $2.')
    .replace(/(Unexpected|found) Name "[^"]{41,}".*/s, '$1 Name.')
    .replace(/(Invalid character escape sequence|Invalid Unicode escape sequence|Invalid character within String): .*/s, '$1.')
    .replace(/, found .*/s, '.')
    .replace(/ cannot represent .*/s, ' cannot represent the value.')
    .replace(/ got invalid value .*/s, ' got an invalid value.')
    .replace(/^Value ".*?" does not exist in "(\w+)" enum.*/s, 'The value does not exist in enum "$1".')
}

/** Describes an error for logs: type, message without values, and stack frames (whose first line would repeat the message). */
export function described(thrown: unknown): { readonly type: string; readonly message: string; readonly stack: string | undefined } {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: 'something other than an Error was thrown', stack: undefined }
  const frames = thrown.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 20)
  return { type: thrown.name, message: withoutValues(thrown.message).slice(0, 500), stack: frames?.join('\n') }
}
