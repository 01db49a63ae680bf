// Trains the network that weighs the surroundings of a sentence (engines/writer/extract/danger-surroundings.ts) on the sessions in which people marked
// all talk about danger (eval/extract/labels/danger.jsonl): node eval/train-surroundings.js [--write]
// First five networks are trained, each without a fifth of the sessions, and asked about those: what a figure would leave out of the note and its list there, and
// how many words it would list. With --write one is trained on all of them and written into the product. The same sessions give the same weights.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openReader } from '../packages/server/dist/engines/reader/open-reader.js'
import { describeSurroundings } from '../packages/server/dist/engines/writer/extract/danger-surroundings.js'
import { dangerOf, readMarked, readSet, setNames } from './marked-sessions.js'

const { values: options } = parseArgs({ options: { write: { type: 'boolean' } } })
const hiddenCount = 8
const epochs = 10
const batchSize = 64
const folds = 5
const shownFigures = [0.1, 0.05, 0.03, 0.02, 0.01]
const weightsFile = new URL(
  '../packages/server/src/engines/writer/extract/surroundings-weights.ts',
  import.meta.url,
)

const random = makeRandom(7)
const sessions = await readAll()
for (let fold = 0; fold < folds; fold += 1) {
  const net = train(sessions.filter((_, at) => at % folds !== fold))
  for (const session of sessions.filter((_, at) => at % folds === fold))
    session.figures = session.features.map((features) => ask(net, features).figure)
}
for (const figure of shownFigures) printFigure(figure)
if (options.write) write(train(sessions))

async function readAll() {
  const reader = openReader()
  const read = []
  for (const session of setNames.flatMap(readSet).filter(({ id }) => dangerOf.has(id))) {
    const { request, talk, quoted, marked } = await readMarked(reader, session)
    const isDanger = new Set(
      dangerOf.get(session.id).flatMap(([from, to]) => marked.slice(from, to + 1).map(({ said }) => said)),
    )
    read.push({
      hasFindings: request.reading.findings.some(({ kind }) => kind === 'danger'),
      features: describeSurroundings(talk),
      said: talk.sentences.map((said) => ({
        words: said.words,
        isDanger: isDanger.has(said),
        isQuoted: quoted.has(said),
      })),
    })
  }
  await reader.close()
  return read
}

/** Of a session in which the reader finds nothing nothing is listed: it is no example. A long sentence counts more, and danger half as much again. */
function train(chosen) {
  const examples = chosen
    .filter(({ hasFindings }) => hasFindings)
    .flatMap(({ features, said }) =>
      said.map(({ words, isDanger }, at) => ({
        features: features[at],
        wanted: isDanger ? 1 : 0,
        weight: (Math.min(20, words) / 10) * (isDanger ? 1.5 : 1),
      })),
    )
  const net = makeNet(examples[0].features.length)
  const moments = net.map(({ length }) => ({
    mean: new Float64Array(length),
    square: new Float64Array(length),
  }))
  let step = 0
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(examples)
    const rate = 0.003 * (1 - epoch / epochs) + 0.0003
    for (let from = 0; from < examples.length; from += batchSize) {
      step += 1
      descend(net, moments, { batch: examples.slice(from, from + batchSize), rate, step })
    }
  }
  return net
}

/** A row for each hidden unit, and one for what comes out, which sees them and the features; the last of a row is what is added. */
function makeNet(count) {
  const hidden = Array.from({ length: hiddenCount }, () =>
    Float64Array.from({ length: count + 1 }, (_, at) =>
      at === count ? 0 : (random() - 0.5) * (2 / Math.sqrt(count)),
    ),
  )
  const output = Float64Array.from({ length: hiddenCount + count + 1 }, (_, at) =>
    at < hiddenCount ? random() - 0.5 : 0,
  )
  return [...hidden, output]
}

function ask(net, features) {
  const hidden = net.slice(0, hiddenCount).map((row) => Math.tanh(dot(row, features)))
  return { hidden, figure: 1 / (1 + Math.exp(-dot(net[hiddenCount], [...hidden, ...features]))) }
}

function dot(row, values) {
  let sum = row[values.length]
  for (let at = 0; at < values.length; at += 1) sum += row[at] * values[at]
  return sum
}

/** One step of Adam. */
function descend(net, moments, { batch, rate, step }) {
  const slopes = net.map(({ length }) => new Float64Array(length))
  const output = net[hiddenCount]
  for (const { features, wanted, weight } of batch) {
    const { hidden, figure } = ask(net, features)
    const off = ((figure - wanted) * weight) / batch.length
    addTo(slopes[hiddenCount], [...hidden, ...features], off)
    for (const [unit, value] of hidden.entries())
      addTo(slopes[unit], features, off * output[unit] * (1 - value * value))
  }
  for (const [at, row] of net.entries()) {
    const { mean, square } = moments[at]
    for (let one = 0; one < row.length; one += 1) {
      const slope = slopes[at][one] + 1e-4 * row[one]
      mean[one] = 0.9 * mean[one] + 0.1 * slope
      square[one] = 0.999 * square[one] + 0.001 * slope * slope
      row[one] -=
        (rate * (mean[one] / (1 - 0.9 ** step))) / (Math.sqrt(square[one] / (1 - 0.999 ** step)) + 1e-8)
    }
  }
}

function addTo(slopes, values, factor) {
  for (let at = 0; at < values.length; at += 1) slopes[at] += factor * values[at]
  slopes[values.length] += factor
}

function printFigure(figure) {
  let [all, out, listed, lacking] = [0, 0, 0, 0]
  for (const { said, figures, hasFindings } of sessions) {
    const isListed = (at) => hasFindings && !said[at].isQuoted && figures[at] >= figure
    const missing = said.filter(({ isDanger, isQuoted }, at) => isDanger && !isQuoted && !isListed(at))
    all += countWords(said.filter(({ isDanger }) => isDanger))
    out += countWords(missing)
    listed += countWords(said.filter((_, at) => isListed(at)))
    if (countWords(missing) >= 5) lacking += 1
  }
  process.stdout.write(
    `${figure}: ${((100 * out) / all).toFixed(2)} % of the words about danger in neither note nor list, ${lacking} of ${sessions.length} sessions lack five or more; ` +
      `${(listed / sessions.length).toFixed(0)} words a list\n`,
  )
}

function countWords(said) {
  return said.reduce((sum, { words }) => sum + words, 0)
}

function write(net) {
  const row = (weights) => `[${[...weights].map((one) => Number(one.toPrecision(4))).join(', ')}]`
  writeFileSync(
    weightsFile,
    `/** By \`eval/train-surroundings.js\`; of each row the last weight is what is added. */\n` +
      `export const hiddenWeights: readonly (readonly number[])[] = [${net.slice(0, hiddenCount).map(row).join(', ')}]\n` +
      `export const outputWeights: readonly number[] = ${row(net[hiddenCount])}\n`,
  )
  process.stdout.write(`written: ${fileURLToPath(weightsFile)}; npx prettier --write it\n`)
}

function shuffle(list) {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other], list[at]]
  }
}

function makeRandom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
