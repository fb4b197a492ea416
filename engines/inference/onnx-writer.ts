/**
 * Writes ONNX models: the few messages of onnx.proto3 that a graph of standard operators needs, in the protobuf wire format.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 (field numbers) and https://protobuf.dev/programming-guides/encoding
 */

const irVersion = 8
const opsetVersion = 17

/** TensorProto.DataType */
export const tensorType = { float32: 1, uint8: 2, int32: 6, int64: 7 } as const
export type TensorType = keyof typeof tensorType

/** An integer, a list of integers, a text, or a float (marked, because 1 is ambiguous). */
export type Attribute = number | readonly number[] | string | { readonly fraction: number }
/** A string names a size that is known only at run time. */
export type Dimensions = readonly (number | string)[]

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  bytes.push(Number(rest))
  return bytes
}

/** Encoded fields in pieces: only the whole model is copied, since each message repeats the weights within it. */
type EncodedFields = readonly Uint8Array[]

const lengthOf = (encoded: EncodedFields): number => encoded.reduce((length, piece) => length + piece.length, 0)

const integer = (field: number, value: number): EncodedFields => [Uint8Array.from([...varint(field << 3), ...varint(value)])]

function bytes(field: number, content: EncodedFields | string): EncodedFields {
  const data = typeof content === 'string' ? [new TextEncoder().encode(content)] : content
  return [Uint8Array.from([...varint((field << 3) | 2), ...varint(lengthOf(data))]), ...data]
}

const fraction = (field: number, value: number): EncodedFields => [
  Uint8Array.from(varint((field << 3) | 5)),
  new Uint8Array(Float32Array.of(value).buffer),
]

/** AttributeProto: name 1, f 2, i 3, s 4, ints 8, type 20 (FLOAT 1, INT 2, STRING 3, INTS 7). */
function attribute(name: string, value: Attribute): EncodedFields {
  if (typeof value === 'number') return [bytes(1, name), integer(3, value), integer(20, 2)].flat()
  if (typeof value === 'string') return [bytes(1, name), bytes(4, value), integer(20, 3)].flat()
  if ('fraction' in value) return [bytes(1, name), fraction(2, value.fraction), integer(20, 1)].flat()
  return [bytes(1, name), ...value.map((item) => integer(8, item)), integer(20, 7)].flat()
}

/** ValueInfoProto: name 1, type 2 -> tensor_type 1 -> elem_type 1, shape 2 -> dim 1 -> dim_value 1 or dim_param 2. */
function valueInfo(name: string, type: TensorType, dimensions: Dimensions): EncodedFields {
  const shape = dimensions.flatMap((size) => bytes(1, typeof size === 'number' ? integer(1, size) : bytes(2, size)))
  return [...bytes(1, name), ...bytes(2, bytes(1, [...integer(1, tensorType[type]), ...bytes(2, shape)]))]
}

/** A graph under construction. Methods that add an operator return the name of its result. */
export class OnnxGraph {
  readonly #nodes: EncodedFields[] = []
  readonly #constants: EncodedFields[] = []
  readonly #inputs: EncodedFields[] = []
  readonly #outputs: EncodedFields[] = []
  #names = 0

  input(name: string, type: TensorType, dimensions: Dimensions): string {
    this.#inputs.push(valueInfo(name, type, dimensions))
    return name
  }

  /** Declares the result `name` as an output. */
  output(name: string, dimensions: Dimensions): void {
    this.#outputs.push(valueInfo(name, 'float32', dimensions))
  }

  /** TensorProto: dims 1, data_type 2, name 8, raw_data 9 (little endian). `raw` is read by `toModel`. */
  constant(type: TensorType, raw: Uint8Array, dimensions: readonly number[]): string {
    const name = this.#name('constant')
    const sizes = dimensions.flatMap((size) => integer(1, size))
    this.#constants.push([...sizes, ...integer(2, tensorType[type]), ...bytes(8, name), ...bytes(9, [raw])])
    return name
  }

  floats(values: readonly number[] | Float32Array, dimensions: readonly number[] = [values.length]): string {
    const { buffer, byteOffset, byteLength } = values instanceof Float32Array ? values : Float32Array.from(values)
    return this.constant('float32', new Uint8Array(buffer, byteOffset, byteLength), dimensions)
  }

  integers(values: readonly number[]): string {
    return this.constant('int64', new Uint8Array(BigInt64Array.from(values, BigInt).buffer), [values.length])
  }

  /** NodeProto: input 1, output 2, name 3, op_type 4, attribute 5. */
  operator(type: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}, result?: string): string {
    const name = result ?? this.#name(type)
    const fields = Object.entries(attributes).flatMap(([key, value]) => bytes(5, attribute(key, value)))
    this.#nodes.push([...inputs.flatMap((input) => bytes(1, input)), ...bytes(2, name), ...bytes(3, name), ...bytes(4, type), ...fields])
    return name
  }

  /** ModelProto: ir_version 1, producer_name 2, graph 7, opset_import 8. GraphProto: node 1, name 2, initializer 5, input 11, output 12. */
  toModel(name: string): Uint8Array {
    const graph = [
      ...this.#nodes.flatMap((node) => bytes(1, node)),
      ...bytes(2, name),
      ...this.#constants.flatMap((constant) => bytes(5, constant)),
      ...this.#inputs.flatMap((input) => bytes(11, input)),
      ...this.#outputs.flatMap((output) => bytes(12, output)),
    ]
    const opset = [...bytes(1, ''), ...integer(2, opsetVersion)]
    const model = [...integer(1, irVersion), ...bytes(2, 'civigraph'), ...bytes(7, graph), ...bytes(8, opset)]
    const whole = new Uint8Array(lengthOf(model))
    let at = 0
    for (const piece of model) {
      whole.set(piece, at)
      at += piece.length
    }
    return whole
  }

  #name(kind: string): string {
    this.#names += 1
    return `${kind}_${this.#names}`
  }
}
