// Just enough of onnx.proto to write a model: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto (field numbers).

const bytesOf = (value) => (typeof value === 'string' ? Buffer.from(value) : value)

function varint(value) {
  const bytes = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}

const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)])
function block(field, value) {
  const bytes = bytesOf(value)
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes])
}
const message = (...parts) => Buffer.concat(parts.flat())

export const floatType = 1
const byteType = 2
const halfType = 10
const longType = 7
const attributeInt = 2
const attributeInteger = 7

/** A whole number, or a list of them. */
export function attributeInts(name, value) {
  return Array.isArray(value)
    ? message(
        block(1, name),
        number(20, attributeInteger),
        value.map((item) => number(8, item)),
      )
    : message(block(1, name), number(20, attributeInt), number(3, value))
}

/** One output, or a list of them. */
export function node(operator, inputs, outputs, attributes = []) {
  const names = [outputs].flat()
  return message(
    inputs.map((input) => block(1, input)),
    names.map((name) => block(2, name)),
    block(3, names[0]),
    block(4, operator),
    attributes.map((attribute) => block(5, attribute)),
  )
}

/** A dimension that is known only when the model runs. */
export const dimension = (name) => ({ name })

function valueInfo({ name, shape }) {
  const dimensions = shape.map((size) =>
    block(1, typeof size === 'number' ? number(1, size) : block(2, size.name)),
  )
  const tensorType = message(number(1, floatType), block(2, message(dimensions)))
  return message(block(1, name), block(2, block(1, tensorType)))
}

/** IEEE half precision, rounded to even. Weights need no more, and it halves the file. */
function toHalf(data) {
  const floats = Float32Array.from(data)
  const bits = new Uint32Array(floats.buffer)
  const halves = Buffer.alloc(floats.length * 2)
  for (let i = 0; i < floats.length; i++) {
    const sign = (bits[i] >>> 16) & 0x8000
    const exponent = ((bits[i] >>> 23) & 0xff) - 112
    if (exponent >= 31) throw new Error(`${floats[i]} does not fit into half precision`)
    const fraction = bits[i] & 0x7fffff
    let half
    if (exponent > 0) {
      half = (exponent << 10) | (fraction >>> 13)
      const rest = fraction & 0x1fff
      if (rest > 0x1000 || (rest === 0x1000 && half & 1)) half++
    } else {
      half = Math.round(Math.abs(floats[i]) * 2 ** 24)
    }
    halves.writeUInt16LE(sign | half, 2 * i)
  }
  return halves
}

function typeOf(data) {
  if (data instanceof BigInt64Array) return longType
  return data instanceof Uint8Array ? byteType : floatType
}
const isLarge = ({ data }) => typeOf(data) === floatType && data.length > 10_000

function tensor({ name, shape, data }, isHalf) {
  return message(
    shape.map((size) => number(1, size)),
    number(2, isHalf ? halfType : typeOf(data)),
    block(8, isHalf ? `${name}.half` : name),
    block(9, isHalf ? toHalf(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  )
}

/** Large weights may be kept in half precision and cast when the model is opened: the runtime folds constants. */
export function encodeModel({ name, producer, inputs, outputs, initializers, nodes, isHalved = true }) {
  const isHalf = (initializer) => isHalved && isLarge(initializer)
  const casts = initializers
    .filter(isHalf)
    .map((large) => node('Cast', [`${large.name}.half`], large.name, [attributeInts('to', floatType)]))
  const graph = message(
    [...casts, ...nodes].map((item) => block(1, item)),
    block(2, name),
    initializers.map((initializer) => block(5, tensor(initializer, isHalf(initializer)))),
    inputs.map((input) => block(11, valueInfo(input))),
    outputs.map((output) => block(12, valueInfo(output))),
  )
  return message(number(1, 8), block(2, producer), block(7, graph), block(8, number(2, 13)))
}
