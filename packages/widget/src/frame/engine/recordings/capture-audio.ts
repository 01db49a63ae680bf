import { engineTexts } from '../../texts/texts.js'
import { EngineError, type OtherSide } from '../engine.js'
import { isForbidden } from './is-forbidden.js'

/** Speech in Opus: 32 kbit/s is 14 MB an hour, and recognition gains nothing from more. */
const bitsPerSecond = 32_000
/** What is lost when everything stops at once. */
const sliceMs = 1_000
/** Slices come each second: after this long without one nothing is recorded. */
export const dryAfterMs = 3_000
/** In this order; what the service's decoder reads and the browser writes. Safari writes mp4 alone. */
const mimeTypes = [
  'audio/webm;codecs=opus',
  'audio/mp4;codecs=opus',
  'audio/mp4;codecs=mp4a.40.2',
  'audio/mp4',
  'audio/ogg;codecs=opus',
]

export interface Capture {
  mimeType: string
  deviceId: string | null
  pause(): void
  resume(): void
  /** After it every slice was given to `onSlice`. */
  stop(): Promise<void>
  /** 0 to 1, of the last moments. Whoever records reads it many times a second: it tells a frame that was blocked, too. */
  readLevel(): number
  readOtherLevel(): number
}

export interface SharedSound extends OtherSide {
  stream: MediaStream
  /** Both in one sound, which outlives the sharing: the microphone stays in it. */
  mix(microphone: MediaStream): { stream: MediaStream; close(): void }
}

interface CaptureOptions {
  deviceId: string | null
  other: SharedSound | null
  /** In order. */
  onSlice: (slice: Blob, durationMs: number) => void
  /** The microphone went away; slices are all given by then. */
  onLost: () => void
}

export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined

interface Closable {
  close(): void
}

export async function openCapture(options: CaptureOptions): Promise<Capture> {
  const stream = await openMicrophone(options.deviceId)
  const opened: Closable[] = [
    {
      close: () => {
        for (const track of stream.getTracks()) track.stop()
      },
    },
  ]
  const close = (): void => {
    for (const one of opened) one.close()
  }
  try {
    return capture(stream, options, { opened, close })
  } catch (error) {
    // Nobody else knows of this microphone.
    close()
    throw error
  }
}

function capture(
  stream: MediaStream,
  { deviceId, other, onSlice, onLost }: CaptureOptions,
  { opened, close }: { opened: Closable[]; close: () => void },
): Capture {
  const keep = <One extends Closable>(one: One): One => {
    opened.push(one)
    return one
  }
  // Without another side the microphone is recorded as it is: nothing stands between the two that could fall silent.
  const mix = other && keep(other.mix(stream))
  const mimeType = mimeTypes.find((type) => MediaRecorder.isTypeSupported(type)) ?? ''
  const recorder = new MediaRecorder(mix?.stream ?? stream, { mimeType, audioBitsPerSecond: bitsPerSecond })
  const meter = keep(openMeter(stream))
  const otherMeter = other && keep(openMeter(other.stream))
  let isStopping = false
  let activeSinceMs = performance.now()
  let activeMs = 0
  let lookedAtMs = activeSinceMs
  let clockAtMs = 0
  let blockedMs = 0
  /**
   * A frame that is blocked gets its slices late, and all of the sound: as much as the clock of the sound says, which sleeps with the
   * machine.
   */
  const look = (): void => {
    const beforeMs = lookedAtMs
    lookedAtMs = performance.now()
    const clockMs = meter.readClockMs()
    if (lookedAtMs - beforeMs > dryAfterMs - sliceMs) blockedMs += clockMs - clockAtMs
    clockAtMs = clockMs
  }
  const takeActiveMs = (): number => {
    look()
    const tookMs = activeMs + (recorder.state === 'paused' ? 0 : lookedAtMs - activeSinceMs)
    const recordedMs = tookMs > dryAfterMs ? Math.min(tookMs, sliceMs + blockedMs) : tookMs
    activeMs = blockedMs = 0
    activeSinceMs = lookedAtMs
    return recordedMs
  }
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size > 0) onSlice(data, takeActiveMs())
  })
  const stopped = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => {
      close()
      if (!isStopping) onLost()
      resolve()
    })
  })
  // Unplugged or forbidden. Not every recorder stops by itself then: Chromium 156 just gives nothing any more.
  const halt = (): void => {
    if (recorder.state !== 'inactive') recorder.stop()
  }
  for (const track of stream.getTracks()) track.addEventListener('ended', halt)
  recorder.start(sliceMs)
  return {
    mimeType: recorder.mimeType || mimeType,
    deviceId: stream.getAudioTracks()[0]?.getSettings().deviceId ?? deviceId,
    pause: () => {
      if (recorder.state !== 'recording') return
      recorder.requestData()
      activeMs += performance.now() - activeSinceMs
      recorder.pause()
    },
    resume: () => {
      if (recorder.state !== 'paused') return
      look()
      blockedMs = 0
      activeSinceMs = lookedAtMs
      recorder.resume()
    },
    stop: async () => {
      isStopping = true
      halt()
      await stopped
    },
    readLevel: () => {
      look()
      return recorder.state === 'recording' ? meter.readLevel() : 0
    },
    readOtherLevel: () => (recorder.state === 'recording' ? (otherMeter?.readLevel() ?? 0) : 0),
  }
}

async function openMicrophone(deviceId: string | null): Promise<MediaStream> {
  const audio: MediaTrackConstraints = {
    channelCount: 1,
    autoGainControl: true,
    // Both would take the client of a video session, who comes out of the loudspeaker, for noise.
    echoCancellation: false,
    noiseSuppression: false,
    ...(deviceId === null ? {} : { deviceId: { exact: deviceId } }),
  }
  try {
    return await navigator.mediaDevices.getUserMedia({ audio })
  } catch (cause) {
    throw explainMicrophone(cause)
  }
}

/** `status` 0 here means: nothing to do with the service. */
function explainMicrophone(cause: unknown): EngineError {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    const reason = isForbidden('microphone') ? engineTexts.microphoneForbidden : engineTexts.microphoneRefused
    return new EngineError(reason, 0, { cause })
  }
  if (name === 'NotFoundError' || name === 'OverconstrainedError') {
    return new EngineError(engineTexts.microphoneMissing, 0, { cause })
  }
  return new EngineError(engineTexts.microphoneBusy, 0, { cause })
}

/** By the clinician or their administrator. Firefox knows no such permission. */
export const isMicrophoneDenied = (): Promise<boolean> =>
  navigator.permissions.query({ name: 'microphone' }).then(
    ({ state }) => state === 'denied',
    () => false,
  )

/** Loudness from -60 to -10 dBFS, where speech is, as 0 to 1. */
function openMeter(stream: MediaStream): { readLevel(): number; readClockMs(): number; close(): void } {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 2048
  context.createMediaStreamSource(stream).connect(analyser)
  // Suspended where the browser saw no gesture in the frame.
  void context.resume()
  const samples = new Float32Array(analyser.fftSize)
  return {
    readLevel: () => {
      analyser.getFloatTimeDomainData(samples)
      let sum = 0
      for (const sample of samples) sum += sample * sample
      const decibels = 10 * Math.log10(sum / samples.length + 1e-10)
      return Math.min(1, Math.max(0, (decibels + 60) / 50))
    },
    readClockMs: () => context.currentTime * 1000,
    close: () => void context.close(),
  }
}

/** Names are empty until the microphone was allowed once. */
export async function listMicrophones(): Promise<{ deviceId: string; label: string }[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices
    .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ deviceId, label }))
}
