// node bin/convert-silero.js: makes packages/server/models/silero-sequence.onnx from silero_vad_v5.onnx in npm's
// @ricky0123/vad-web 0.0.31.
//
// The publisher's model takes one frame of 32 ms a run, for live sound. All but its LSTM looks at a single frame, so here
// the frames of a whole stretch go through it at once and the LSTM runs over all of them: the same weights, the same
// probabilities to a millionth.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { attributeInts, dimension, encodeModel, node } from './onnx-model.js'
import { readConstants } from './onnx-tensors.js'

const place = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const source = readFileSync(place('node_modules/@ricky0123/vad-web/dist/silero_vad_v5.onnx'))
const target = place('packages/server/models/silero-sequence.onnx')

/** The branch for 16 kHz; the other one is for 8 kHz. */
const branch = 'If_0_then_branch__Inline_0__'
const constants = readConstants(source)

function take(name) {
  const tensor = constants.get(branch + name)
  if (tensor === undefined) throw new Error(`The model has no ${name}`)
  return tensor
}

const initializers = []
const nodes = []
const add = (name, shape, data) => initializers.push({ name, shape, data })

const transpose = (data, rows, columns) =>
  Float32Array.from({ length: data.length }, (_, i) => data[(i % rows) * columns + Math.floor(i / rows)])

// Four windows of a frame, each half over the one before.
const basis = take('stft.forward_basis_buffer')
const [bins, , length] = basis.shape
const windows = 4
const half = (bins / 2) * length
add('stft.real', [length, bins / 2], transpose(basis.data.slice(0, half), bins / 2, length))
add('stft.imaginary', [length, bins / 2], transpose(basis.data.slice(half), bins / 2, length))
for (const part of ['real', 'imaginary'])
  nodes.push(node('MatMul', ['windows', `stft.${part}`], part), node('Mul', [part, part], `${part}.squared`))
nodes.push(
  node('Add', ['real.squared', 'imaginary.squared'], 'power'),
  node('Sqrt', ['power'], 'magnitude'),
  node('Flatten', ['magnitude'], 'encoder'),
)

/**
 * A convolution of three taps over the few places of one frame, as one matrix: as a convolution it is a product of its own
 * for each frame, four columns wide, which took over twice the time although the matrix has zeros in it.
 */
function layConvolution({ shape: [outputs, inputs, taps], data }, inPlaces, stride) {
  const outPlaces = Math.ceil(inPlaces / stride)
  const matrix = new Float32Array(inPlaces * inputs * outPlaces * outputs)
  for (let to = 0; to < outPlaces; to++)
    for (let tap = 0; tap < taps; tap++) {
      const from = to * stride + tap - 1
      if (from < 0 || from >= inPlaces) continue
      for (let i = 0; i < inputs; i++)
        for (let o = 0; o < outputs; o++)
          matrix[(from * inputs + i) * outPlaces * outputs + to * outputs + o] =
            data[(o * inputs + i) * taps + tap]
    }
  return { outPlaces, shape: [inPlaces * inputs, outPlaces * outputs], matrix }
}

let last = 'encoder'
let places = windows
for (const [layer, stride] of [1, 2, 2, 1].entries()) {
  const name = `encoder.${layer}`
  const { outPlaces, shape, matrix } = layConvolution(take(`${name}.reparam_conv.weight`), places, stride)
  const bias = take(`${name}.reparam_conv.bias`).data
  add(`${name}.weight`, shape, matrix)
  add(
    `${name}.bias`,
    [shape[1]],
    Float32Array.from({ length: shape[1] }, (_, i) => bias[i % bias.length]),
  )
  nodes.push(
    node('Gemm', [last, `${name}.weight`, `${name}.bias`], name),
    node('Relu', [name], `${name}.out`),
  )
  last = `${name}.out`
  places = outPlaces
}

/** PyTorch's gates are input, forget, cell, output; ONNX wants input, output, forget, cell. */
function sortGates({ data }) {
  const size = data.length / 4
  const gate = (index) => data.subarray(index * size, (index + 1) * size)
  return [...gate(0), ...gate(3), ...gate(1), ...gate(2)]
}

const hidden = take('decoder.rnn.weight_hh').shape[1]
for (const [name, part] of [
  ['lstm.input', 'weight_ih'],
  ['lstm.state', 'weight_hh'],
])
  add(name, [1, 4 * hidden, hidden], Float32Array.from(sortGates(take(`decoder.rnn.${part}`))))
const biases = ['bias_ih', 'bias_hh'].flatMap((part) => sortGates(take(`decoder.rnn.${part}`)))
add('lstm.bias', [1, 8 * hidden], Float32Array.from(biases))
add('decision.weight', [hidden, 1], take('decoder.decoder.2.weight').data)
add('decision.bias', [1], take('decoder.decoder.2.bias').data)
add('sequence.shape', [3], BigInt64Array.of(-1n, 1n, BigInt(hidden)))
nodes.push(
  node('Reshape', [last, 'sequence.shape'], 'sequence'),
  node('LSTM', ['sequence', 'lstm.input', 'lstm.state', 'lstm.bias'], 'states', [
    attributeInts('hidden_size', hidden),
  ]),
  node('Relu', ['states'], 'positive'),
  node('MatMul', ['positive', 'decision.weight'], 'product'),
  node('Add', ['product', 'decision.bias'], 'decision'),
  node('Sigmoid', ['decision'], 'scores'),
)

writeFileSync(
  target,
  encodeModel({
    name: 'silero-sequence',
    producer: 'casenote convert-silero',
    inputs: [{ name: 'windows', shape: [dimension('count'), windows, length] }],
    outputs: [{ name: 'scores', shape: [dimension('count'), 1, 1, 1] }],
    initializers,
    nodes,
    isHalved: false,
  }),
)
