import { sampleRate } from '../speech-engine.js'

/** Running sums over a recording, from which the channels that say something of their own are told. */
export interface ChannelComparison {
  add(channels: readonly Float32Array[]): void
  readonly channelCount: number
  /** Mean square of a channel, over all and in its loudest tenth of a second. */
  power(channel: number): number
  peakPower(channel: number): number
  /** Share of the audible frames in which the two are more than 9 dB apart. */
  shareApart(one: number, other: number): number
}

const frameLength = sampleRate / 10
/** -55 dBFS: under it is the noise of the line. */
const audibleMeanSquare = 10 ** -5.5
/** A pair of microphones in one room hears every voice within about 6 dB; a headset hears the other side 15 to 40 dB lower. */
const apartRatio = 10 ** 0.9
/** Two persons on two channels are apart nearly always; a room is apart in the odd frame. */
const shareApartMin = 0.15

export function makeChannelComparison(): ChannelComparison {
  const sums: number[] = []
  const peaks: number[] = []
  const audible = new Map<string, number>()
  const apart = new Map<string, number>()
  let sampleCount = 0
  const addPair = (key: string, one: number, other: number) => {
    if (Math.max(one, other) < audibleMeanSquare) return
    audible.set(key, (audible.get(key) ?? 0) + 1)
    if (Math.max(one, other) > Math.min(one, other) * apartRatio) apart.set(key, (apart.get(key) ?? 0) + 1)
  }
  return {
    add(channels) {
      const length = channels[0]?.length ?? 0
      sampleCount += length
      for (let start = 0; start < length; start += frameLength) {
        const powers = channels.map((samples) => meanSquare(samples.subarray(start, start + frameLength)))
        powers.forEach((power, one) => {
          sums[one] = (sums[one] ?? 0) + power * Math.min(frameLength, length - start)
          peaks[one] = Math.max(peaks[one] ?? 0, power)
          for (let other = 0; other < one; other += 1) addPair(`${other},${one}`, powers[other] ?? 0, power)
        })
      }
    },
    get channelCount() {
      return sums.length
    },
    power: (channel) => (sums[channel] ?? 0) / Math.max(1, sampleCount),
    peakPower: (channel) => peaks[channel] ?? 0,
    shareApart(one, other) {
      const key = `${Math.min(one, other)},${Math.max(one, other)}`
      return (apart.get(key) ?? 0) / Math.max(1, audible.get(key) ?? 0)
    },
  }
}

/**
 * The channels to keep: of those that hear the same scene (one microphone in two channels, a stereo room recording) the
 * loudest, and none that was never audible. Mixing them instead would comb out frequencies where the microphones stand apart.
 */
export function compareChannels(comparison: ChannelComparison): number[] {
  const byPower = Array.from({ length: comparison.channelCount }, (_, channel) => channel)
    .filter((channel) => comparison.peakPower(channel) > audibleMeanSquare)
    .toSorted((one, other) => comparison.power(other) - comparison.power(one) || one - other)
  const kept: number[] = []
  for (const channel of byPower) {
    if (kept.every((other) => comparison.shareApart(channel, other) >= shareApartMin)) kept.push(channel)
  }
  return kept.length > 0 ? kept.toSorted((one, other) => one - other) : [0]
}

export function meanSquare(samples: Float32Array): number {
  let sum = 0
  // Not `for … of`, which took ten times as long.
  for (let index = 0; index < samples.length; index += 1) sum += samples[index]! * samples[index]!
  return samples.length === 0 ? 0 : sum / samples.length
}
