// node bin/convert-silero.js: makes packages/server/models/silero-sequence.onnx from silero_vad_v5.onnx in npm's
// @ricky0123/vad-web 0.0.31.
//
// The publisher's model takes one frame of 32 ms a run, for live sound. All but its LSTM looks at a single frame, so here
// the frames of a whole stretch go through it at once and the LSTM runs over all of them: the same weights, the same
// probabilities, a fifth of the time.
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

const basis = take('stft.forward_basis_buffer')
const [bins, , length] = basis.shape
const half = (bins / 2) * length
add('stft.real', [bins / 2, 1, length], basis.data.slice(0, half))
add('stft.imaginary', [bins / 2, 1, length], basis.data.slice(half))
for (const part of ['real', 'imaginary'])
  nodes.push(
    node('Conv', ['frames', `stft.${part}`], part, [
      attributeInts('kernel_shape', [length]),
      attributeInts('strides', [length / 2]),
    ]),
    node('Mul', [part, part], `${part}.squared`),
  )
nodes.push(node('Add', ['real.squared', 'imaginary.squared'], 'power'), node('Sqrt', ['power'], 'magnitude'))

let last = 'magnitude'
for (const [layer, stride] of [1, 2, 2, 1].entries()) {
  const name = `encoder.${layer}`
  for (const part of ['weight', 'bias']) {
    const { shape, data } = take(`${name}.reparam_conv.${part}`)
    add(`${name}.${part}`, shape, data)
  }
  nodes.push(
    node('Conv', [last, `${name}.weight`, `${name}.bias`], name, [
      attributeInts('kernel_shape', [3]),
      attributeInts('pads', [1, 1]),
      attributeInts('strides', [stride]),
    ]),
    node('Relu', [name], `${name}.out`),
  )
  last = `${name}.out`
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
nodes.push(
  node('Transpose', [last], 'sequence', [attributeInts('perm', [0, 2, 1])]),
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
    inputs: [{ name: 'frames', shape: [dimension('count'), 1, 640] }],
    outputs: [{ name: 'scores', shape: [dimension('count'), 1, 1, 1] }],
    initializers,
    nodes,
    isHalved: false,
  }),
)
