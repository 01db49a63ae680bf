// What a recording goes through before it is heard; the same in every run.
export const rate = 16_000

export function makeRandom(seed) {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

/** Reflections that die away within 0.4 s, and pink noise 15 dB below the speech; another room for each draw. */
function addRoomAndNoise(samples, draw) {
  const random = makeRandom(11 + draw)
  const reflections = Array.from({ length: 60 }, () => {
    const seconds = 0.003 + 0.4 * random()
    return {
      delay: Math.round(seconds * rate),
      gain: (random() < 0.5 ? -1 : 1) * 0.35 * 10 ** (-3 * (seconds / 0.4)),
    }
  })
  const heard = Float32Array.from(samples)
  for (const { delay, gain } of reflections) {
    for (let index = delay; index < heard.length; index += 1) heard[index] += gain * samples[index - delay]
  }
  const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length
  const noise = makePinkNoise(samples.length, random)
  const noisePower = noise.reduce((sum, value) => sum + value * value, 0) / noise.length
  const scale = Math.sqrt(power / noisePower / 10 ** 1.5)
  return heard.map((value, index) => value + scale * noise[index])
}

/** White noise through Paul Kellet's filter. */
function makePinkNoise(length, random) {
  const state = [0, 0, 0]
  return Float32Array.from({ length }, () => {
    const white = random() * 2 - 1
    state[0] = 0.99765 * state[0] + white * 0.099046
    state[1] = 0.963 * state[1] + white * 0.2965164
    state[2] = 0.57 * state[2] + white * 1.0526913
    return state[0] + state[1] + state[2] + white * 0.1848
  })
}

export const conditions = [
  { name: 'clean, 16 kHz', change: (samples) => samples, coding: ['-c:a', 'pcm_s16le', '-f', 'wav'] },
  {
    name: 'telephone, 8 kHz',
    change: (samples) => samples,
    coding: ['-ar', '8000', '-c:a', 'pcm_mulaw', '-f', 'wav'],
  },
  {
    name: 'room echo and noise',
    change: addRoomAndNoise,
    isDrawn: true,
    coding: ['-c:a', 'pcm_s16le', '-f', 'wav'],
  },
]
