import { sampleRate } from '../speech-engine.js'

/** The network was trained on telephone speech: 8 kHz, 23 cepstra of 25 ms every 10 ms, exactly as Kaldi makes them. */
export const cepstraCount = 23
export const framesPerSecond = 100
const rate = sampleRate / 2
const frameLength = rate * 0.025
const frameShift = rate / framesPerSecond
const fftSize = 256
const preemphasis = 0.97
const melLowHz = 20
const melHighHz = 3700
const lifter = 22
const energyFloor = 1.192_092_9e-7

/** The recipe's 3 s, centred: takes the room and the microphone away. */
const meanFrames = 300

/** One column of 23 cepstra a frame, the mean of the 3 s around it taken away. */
export function makeVoiceFeatures(samples: Float32Array): Float32Array {
  return subtractSlidingMean(makeCepstra(halveRate(samples)))
}

/** The taps beside the middle one, nearest first, every other: those between are zero where the band is cut in half. */
const halfBandTaps = makeHalfBandTaps()

function makeHalfBandTaps(): Float32Array {
  const reach = 24
  return Float32Array.from({ length: reach / 2 }, (_, i) => {
    const x = 2 * i + 1
    return (Math.sin((Math.PI * x) / 2) / (Math.PI * x)) * (0.5 + 0.5 * Math.cos((Math.PI * x) / (reach + 1)))
  })
}

/**
 * 16-bit levels, as the recipe reads them, with a level of dither as in training: digital silence would give values that the
 * network has never seen. What lies outside of the samples is silence.
 */
function halveRate(samples: Float32Array): Float32Array {
  const reach = 2 * halfBandTaps.length
  const padded = takeScratch(samples.length + 2 * reach)
  padded.fill(0, 0, reach).fill(0, reach + samples.length)
  padded.set(samples, reach)
  const out = new Float32Array(samples.length >> 1)
  const dither = makeDither()
  for (let i = 0; i < out.length; i++) {
    const middle = 2 * i + reach
    let sum = padded[middle]! / 2
    for (let tap = 0, side = 1; tap < halfBandTaps.length; tap++, side += 2)
      sum += (padded[middle - side]! + padded[middle + side]!) * halfBandTaps[tap]!
    out[i] = sum * 32_768 + dither()
  }
  return out
}

let scratch = new Float32Array(0)

/** Used again: four megabytes for each minute of sound pile up faster than the collector takes them back. */
function takeScratch(length: number): Float32Array {
  if (scratch.length < length) scratch = new Float32Array(length)
  return scratch.subarray(0, length)
}

function makeDither(): () => number {
  const scale = Math.sqrt(3)
  let noise = 1
  return () => {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0
    return (noise / 2_147_483_648 - 1) * scale
  }
}

const povey = Float32Array.from({ length: frameLength }, (_, i) =>
  Math.pow(0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (frameLength - 1)), 0.85),
)
const melFilters = makeMelFilters()
const cosines = makeCosines()

interface MelFilter {
  firstBin: number
  weights: Float32Array
}

function makeMelFilters(): MelFilter[] {
  const mel = (hz: number): number => 1127 * Math.log(1 + hz / 700)
  const low = mel(melLowHz)
  const step = (mel(melHighHz) - low) / (cepstraCount + 1)
  return Array.from({ length: cepstraCount }, (_, filter) => {
    const left = low + filter * step
    const weights: number[] = []
    let firstBin = -1
    for (let bin = 0; bin < fftSize / 2; bin++) {
      const distance = mel((bin * rate) / fftSize) - left
      const weight = distance <= step ? distance / step : 2 - distance / step
      if (weight <= 0) continue
      if (firstBin < 0) firstBin = bin
      weights.push(weight)
    }
    return { firstBin, weights: Float32Array.from(weights) }
  })
}

/** The orthonormal cosine transform with the lifter in it. */
function makeCosines(): Float32Array {
  const n = cepstraCount
  return Float32Array.from({ length: n * n }, (_, index) => {
    const row = Math.floor(index / n)
    const scale = row === 0 ? Math.sqrt(1 / n) : Math.sqrt(2 / n)
    const lift = 1 + 0.5 * lifter * Math.sin((Math.PI * row) / lifter)
    return scale * lift * Math.cos((Math.PI / n) * ((index % n) + 0.5) * row)
  })
}

function makeCepstra(samples: Float32Array): Float32Array {
  const count = samples.length < frameLength ? 0 : 1 + Math.floor((samples.length - frameLength) / frameShift)
  const cepstra = new Float32Array(count * cepstraCount)
  const parts = [new Float32Array(fftSize), new Float32Array(fftSize)] as const
  const powers = [new Float32Array(fftSize / 2), new Float32Array(fftSize / 2)] as const
  const energies = [0, 0]
  // A transform of complex numbers takes two frames of real ones at a time.
  for (let first = 0; first < count; first += 2) {
    const last = Math.min(first + 1, count - 1)
    for (let f = first; f <= last; f++)
      energies[f - first] = windowFrame(samples, f * frameShift, parts[f - first]!)
    if (last === first) parts[1].fill(0)
    transform(parts[0], parts[1])
    splitPowers(parts[0], parts[1], powers[0], powers[1])
    for (let f = first; f <= last; f++)
      takeCepstra(
        powers[f - first]!,
        energies[f - first]!,
        cepstra.subarray(f * cepstraCount, (f + 1) * cepstraCount),
      )
  }
  return cepstra
}

/** Fills `windowed` with the emphasized, windowed frame and returns the energy before both. */
function windowFrame(samples: Float32Array, start: number, windowed: Float32Array): number {
  let sum = 0
  for (let i = 0; i < frameLength; i++) sum += samples[start + i]!
  const mean = sum / frameLength
  let energy = 0
  let before = samples[start]! - mean
  for (let i = 0; i < frameLength; i++) {
    const value = samples[start + i]! - mean
    energy += value * value
    windowed[i] = (value - preemphasis * before) * povey[i]!
    before = value
  }
  windowed.fill(0, frameLength)
  return energy
}

/** The spectra of the two frames, out of the one of both: each is symmetric in its own way. */
function splitPowers(
  real: Float32Array,
  imaginary: Float32Array,
  first: Float32Array,
  second: Float32Array,
): void {
  for (let bin = 0; bin < fftSize / 2; bin++) {
    const mirror = (fftSize - bin) % fftSize
    const evenReal = real[bin]! + real[mirror]!
    const oddReal = real[bin]! - real[mirror]!
    const evenImaginary = imaginary[bin]! + imaginary[mirror]!
    const oddImaginary = imaginary[bin]! - imaginary[mirror]!
    first[bin] = (evenReal * evenReal + oddImaginary * oddImaginary) / 4
    second[bin] = (evenImaginary * evenImaginary + oddReal * oddReal) / 4
  }
}

const logMel = new Float32Array(cepstraCount)

function takeCepstra(power: Float32Array, energy: number, cepstra: Float32Array): void {
  for (let m = 0; m < cepstraCount; m++) {
    const { firstBin, weights } = melFilters[m]!
    let sum = 0
    for (let i = 0; i < weights.length; i++) sum += weights[i]! * power[firstBin + i]!
    logMel[m] = Math.log(Math.max(sum, energyFloor))
  }
  cepstra[0] = Math.log(Math.max(energy, energyFloor))
  for (let c = 1; c < cepstraCount; c++) {
    let sum = 0
    for (let m = 0; m < cepstraCount; m++) sum += cosines[c * cepstraCount + m]! * logMel[m]!
    cepstra[c] = sum
  }
}

const twiddleReal = Float32Array.from({ length: fftSize / 2 }, (_, i) =>
  Math.cos((2 * Math.PI * i) / fftSize),
)
const twiddleImaginary = Float32Array.from(
  { length: fftSize / 2 },
  (_, i) => -Math.sin((2 * Math.PI * i) / fftSize),
)

/** In place, radix 2. */
function transform(real: Float32Array, imaginary: Float32Array): void {
  for (let i = 1, j = 0; i < fftSize; i++) {
    let bit = fftSize >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      ;[real[i], real[j]] = [real[j]!, real[i]!]
      ;[imaginary[i], imaginary[j]] = [imaginary[j]!, imaginary[i]!]
    }
  }
  for (let size = 2; size <= fftSize; size <<= 1) {
    const half = size >> 1
    const stride = fftSize / size
    for (let start = 0; start < fftSize; start += size) {
      for (let k = 0; k < half; k++) {
        const a = start + k
        const b = a + half
        const wr = twiddleReal[k * stride]!
        const wi = twiddleImaginary[k * stride]!
        const re = real[b]! * wr - imaginary[b]! * wi
        const im = real[b]! * wi + imaginary[b]! * wr
        real[b] = real[a]! - re
        imaginary[b] = imaginary[a]! - im
        real[a] = real[a]! + re
        imaginary[a] = imaginary[a]! + im
      }
    }
  }
}

/** At the ends the window is moved inwards and keeps its length, as in the recipe. */
function subtractSlidingMean(cepstra: Float32Array): Float32Array {
  const count = cepstra.length / cepstraCount
  const out = new Float32Array(cepstra.length)
  const sums = new Float64Array(cepstraCount)
  let first = 0
  let last = 0
  for (let f = 0; f < count; f++) {
    const from = Math.max(0, Math.min(f - meanFrames / 2, count - meanFrames))
    const to = Math.min(count, from + meanFrames)
    for (; last < to; last++) addFrame(sums, cepstra, last, 1)
    for (; first < from; first++) addFrame(sums, cepstra, first, -1)
    for (let c = 0; c < cepstraCount; c++) {
      const at = f * cepstraCount + c
      out[at] = cepstra[at]! - sums[c]! / (to - from)
    }
  }
  return out
}

function addFrame(sums: Float64Array, cepstra: Float32Array, frame: number, sign: number): void {
  for (let c = 0; c < cepstraCount; c++) sums[c] = sums[c]! + sign * cepstra[frame * cepstraCount + c]!
}
