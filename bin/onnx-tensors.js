// Just enough of onnx.proto to find the weights in a model: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto (field numbers).

const wireVarint = 0
const wireBlock = 2
const floatType = 1

/** The fields of a message, in their order. */
function* readFields(bytes) {
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return Number(BigInt.asIntN(64, value))
    }
  }
  while (at < bytes.length) {
    const key = varint()
    if ((key & 7) === wireVarint) yield { field: key >>> 3, value: varint() }
    else {
      const length = (key & 7) === wireBlock ? varint() : (key & 7) === 1 ? 8 : 4
      yield { field: key >>> 3, value: bytes.subarray(at, at + length) }
      at += length
    }
  }
}

const listOf = (bytes, field) => [...readFields(bytes)].filter((found) => found.field === field)
const textOf = (bytes, field) => listOf(bytes, field)[0]?.value.toString('utf8') ?? ''

function readTensor(bytes) {
  if (listOf(bytes, 2)[0]?.value !== floatType) return null
  const raw = Buffer.from(listOf(bytes, 9)[0]?.value ?? [])
  const data = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length))
  return { shape: listOf(bytes, 1).map(({ value }) => value), data }
}

/** Every float tensor that a graph or one of its branches holds as a constant, by the name of its value. */
export function readConstants(model) {
  const found = new Map()
  const readGraph = (graph) => {
    for (const { value: node } of listOf(graph, 1)) {
      const output = textOf(node, 2)
      for (const { value: attribute } of listOf(node, 5)) {
        for (const { value: branch } of listOf(attribute, 6)) readGraph(branch)
        for (const { value } of listOf(attribute, 5)) {
          const tensor = readTensor(value)
          if (tensor !== null) found.set(output, tensor)
        }
      }
    }
  }
  for (const { value: graph } of listOf(model, 7)) readGraph(graph)
  return found
}
