import type { Recorder } from '../engine.js'
import type { SharedSound } from './capture-audio.js'

// A part of its own, loaded where somebody wants it: it shares nothing with the first screen, which would have to be cut in two for it.

/** Sound that is not let through within it never is: nothing may be recorded through it. */
const runsWithinMs = 3_000

/** Nothing of it is played: where the browser can, no loudspeaker that goes away stops it. Others do not know the option. */
const unplayed: AudioContextOptions & { sinkId: { type: 'none' } } = { sinkId: { type: 'none' } }

interface SharingOptions extends DisplayMediaStreamOptions {
  audio: MediaTrackConstraints & { suppressLocalAudioPlayback: boolean }
  systemAudio: 'include'
  selfBrowserSurface: 'include'
  surfaceSwitching: 'exclude'
}

const sharing: SharingOptions = {
  // No browser shares sound alone.
  video: true,
  audio: {
    // As it is played: it goes on being heard, and nothing of it is noise.
    suppressLocalAudioPlayback: false,
    echoCancellation: false,
    noiseSuppression: false,
    autoGainControl: false,
  },
  systemAudio: 'include',
  // The call may be in the page around the widget.
  selfBrowserSurface: 'include',
  surfaceSwitching: 'exclude',
}

/** `refused`: nothing was shared. `mute`: something without its sound. `failed`: the browser lets no sound through. */
type SharingProblem = 'refused' | 'mute' | 'failed'

/** Asks what to share, and records it from then on, for as long as it is shared. Only in answer to a press. Null: it does. */
export async function shareOtherSide(recorder: Recorder): Promise<SharingProblem | null> {
  const shared = await navigator.mediaDevices.getDisplayMedia(sharing).catch(() => null)
  if (shared === null) return 'refused'
  // The picture shows the client: it is nobody's from here on.
  for (const track of shared.getVideoTracks()) track.stop()
  const [track] = shared.getAudioTracks()
  if (track === undefined) return 'mute'
  let context: AudioContext | null = null
  let problem: SharingProblem = 'failed'
  try {
    context = new AudioContext(unplayed)
    await Promise.race([
      context.resume(),
      new Promise((resolve) => {
        setTimeout(resolve, runsWithinMs)
      }),
    ])
    // Taken back while nobody listened to that.
    if (track.readyState === 'ended') problem = 'refused'
    else if (context.state === 'running') {
      // By the browser's own button, or with the tab; not told of what `stop` ends.
      track.addEventListener('ended', () => void recorder.hearOtherSide(null, 'ended'))
      watch(context, recorder)
      await recorder.hearOtherSide(makeOtherSide(context, track), 'shared')
      return null
    }
  } catch {
    // Said below: the microphone is recorded without it.
  }
  track.stop()
  // The recorder may have closed it already.
  context?.close().catch(() => {})
  return problem
}

/** The microphone goes through it, too, for as long as it is mixed, also when nothing is shared any more: where it halts, nothing is recorded. */
function watch(context: AudioContext, recorder: Recorder): void {
  const isHalted = (): boolean => context.state !== 'running' && context.state !== 'closed'
  let timer: ReturnType<typeof setTimeout> | undefined
  context.addEventListener('statechange', () => {
    clearTimeout(timer)
    if (!isHalted()) return
    context.resume().catch(() => {})
    timer = setTimeout(() => {
      if (!isHalted()) return
      const state = recorder.state.peek()
      // Who has left it out already lacks nothing.
      const isLeft = 'otherSide' in state && state.otherSide === 'none'
      // Without a microphone it pauses, and says so.
      recorder.hearOtherSide(null, isLeft ? 'none' : 'ended', true).catch(() => {})
    }, runsWithinMs)
  })
}

function makeOtherSide(context: AudioContext, track: MediaStreamTrack): SharedSound {
  const stream = new MediaStream([track])
  const sound = context.createMediaStreamSource(stream)
  let isOver = false
  let mixes = 0
  const closeUnused = (): void => {
    if (isOver && mixes === 0 && context.state !== 'closed') void context.close()
  }
  return {
    stream,
    mix: (microphone) => {
      const mixed = context.createMediaStreamDestination()
      // As the microphone's alone: two channels would be taken for one person each.
      mixed.channelCount = 1
      const own = context.createMediaStreamSource(microphone)
      own.connect(mixed)
      sound.connect(mixed)
      mixes += 1
      return {
        stream: mixed.stream,
        close: () => {
          own.disconnect()
          sound.disconnect(mixed)
          mixes -= 1
          closeUnused()
        },
      }
    },
    stop: () => {
      isOver = true
      track.stop()
      closeUnused()
    },
  }
}
