import type { SessionPad } from '@casenote/contract'
import { signal, type Signal } from '@preact/signals'
import { engineTexts } from '../../texts/texts.js'
import { EngineError, type NewRecording, type Recorder, type RecorderState } from '../engine.js'
import { toEngineError } from '../to-engine-error.js'
import { waitUpTo } from '../wait.js'
import { canRecord } from './capture-audio.js'
import { requireRoom } from './copy-file.js'
import { closeGaps } from './gaps.js'
import { isForbidden } from './is-forbidden.js'
import { keepAwake } from './keep-awake.js'
import { lockRecording } from './lock-recording.js'
import { emptyPad, Pad, readPad } from './pad.js'
import { letGo, withSession, type Active, type Ready, type RecorderParts } from './recorder-parts.js'
import type { GapRow, RecordingRow } from './recording-row.js'
import { runRecording } from './running-recording.js'
import type { Sending } from './send-recording.js'

/** How long a start waits for the service's word; without one the recording goes on, and is offered later. */
const sessionWithinMs = 4_000

interface Parts extends Pick<RecorderParts, 'recordings' | 'raise' | 'open'> {
  require: () => Ready
  /** Rises with each sign-out: what began before it does not run on after it. */
  getEra: () => number
  beginSending: (recordingId: string, ready: Ready) => Sending
  throwAway: (recordingId: string) => Promise<void>
  /** What lies on this device has changed. */
  tell: () => void
  refreshMicrophones: () => Promise<void>
}

interface Shown extends Pick<
  Recorder,
  'state' | 'level' | 'otherLevel' | 'pad' | 'start' | 'finish' | 'discard'
> {
  isOffRecord: Signal<boolean>
  struck: Signal<readonly GapRow[]>
}

export interface TabRecording {
  shown: Shown
  getActive: () => Active | null
  /** Its gaps are sent as they are. */
  isFinishing: () => boolean
  record: (
    begin: () => Promise<RecordingRow>,
    what: Pick<NewRecording, 'clientId' | 'clientLabel' | 'options' | 'isDictated'> & {
      deviceId: string | null
    },
  ) => Promise<Active>
  /** The service takes it as whole only once the clinician has said what becomes of it: where it waits to be sent, they are asked. */
  endWithdrawn: (recordingId: string) => void
  /** With the sign-out: at once, whatever is under way. */
  cutShort: () => void
}

/** The one recording that this tab makes, from its start until it is ended, thrown away or cut short. */
export function makeTabRecording(parts: Parts): TabRecording {
  const level = signal(0)
  const otherLevel = signal(0)
  const padShown = signal<SessionPad>(emptyPad)
  const isOffRecord = signal(false)
  const struck = signal<readonly GapRow[]>([])
  let active: Active | null = null
  let isStarting = false
  let isFinishing = false

  const rest = (): RecorderState => {
    if (!isSecureContext) return { state: 'unavailable', reason: engineTexts.insecure }
    if (!canRecord()) return { state: 'unavailable', reason: engineTexts.noRecorder }
    if (parts.recordings === null) return { state: 'unavailable', reason: engineTexts.noStorage }
    if (isForbidden('microphone')) return { state: 'unavailable', reason: engineTexts.microphoneForbidden }
    return { state: 'idle' }
  }
  const state = signal(rest())

  /** Nothing is recorded for a clinician who is gone. */
  function requireEra(era: number): void {
    if (era !== parts.getEra()) throw new EngineError(engineTexts.signedOut, 401)
  }

  const record: TabRecording['record'] = async (begin, what) => {
    const ready = parts.require()
    const { recordings, vault } = ready
    if (active !== null || isStarting) throw new EngineError(engineTexts.alreadyRecording, 0)
    isStarting = true
    const era = parts.getEra()
    try {
      const { clientId, clientLabel, deviceId, options, isDictated = false } = what
      // Nobody is on the other side of a dictation.
      const otherSide = options.usingHeadphones === true && !isDictated ? 'wanted' : 'none'
      let release: (() => void) | null = null
      let kept = emptyPad
      const { running, row } = await runRecording(
        {
          recordings,
          vault,
          level,
          otherLevel,
          onTrouble: parts.open,
          keepGap: (recordingId, gap) => keepGap(recordings, recordingId, gap),
        },
        async () => {
          requireEra(era)
          const begun = await begin()
          // Here, since nothing may be waited for once the era is checked: a logout would not find what runs.
          kept = await readPad(vault, begun)
          release = await lockRecording(begun.recordingId)
          if (release === null) throw new EngineError(engineTexts.openElsewhere, 0)
          return begun
        },
        { clientId, clientLabel, deviceId, otherSide, isDictated },
      )
      if (era !== parts.getEra()) {
        await running.stop()
        ;(release ?? (() => {}))()
        requireEra(era)
      }
      const { recordingId } = row
      struck.value = row.gaps ?? []
      const sending = parts.beginSending(recordingId, ready)
      const { sessionExternalId } = options
      const detail = { recordingId, clientId, ...(sessionExternalId ? { sessionExternalId } : {}) }
      const pad = new Pad({ recordings, vault, recordingId }, kept)
      return enter({ running, pad, sending, recordingId, clientId, detail, release: release ?? (() => {}) })
    } catch (error) {
      state.value =
        era === parts.getEra() ? { state: 'unavailable', reason: toEngineError(error).message } : rest()
      throw error
    } finally {
      isStarting = false
      void parts.refreshMicrophones()
    }
  }

  async function keepGap(recordings: Ready['recordings'], recordingId: string, gap: GapRow): Promise<void> {
    const row = await recordings.change(recordingId, (changed) => {
      changed.gaps = [...(changed.gaps ?? []), gap]
    })
    if (active?.recordingId !== recordingId) return
    struck.value = row?.gaps ?? []
    active.sending.wake()
  }

  function enter(begun: Omit<Active, 'unfollow'>): Active {
    const { running, pad, sending } = begun
    const unsubscribe = running.state.subscribe((now) => {
      state.value = now
      // However it goes on: by the clinician's word, or with another microphone.
      if (now.state !== 'recording' || !isOffRecord.value) return
      isOffRecord.value = false
      void parts.recordings?.change(now.recordingId, closeGaps)
    })
    const leavePad = pad.value.subscribe((value) => {
      padShown.value = value
    })
    const sleep = keepAwake()
    const unfollow = (): void => {
      unsubscribe()
      leavePad()
      padShown.value = emptyPad
      isOffRecord.value = false
      sleep()
    }
    active = { ...begun, unfollow }
    // Refused while it runs: it is kept here, and the clinician is told.
    sending.done.catch((error: unknown) => {
      running.refuse(toEngineError(error))
    })
    parts.tell()
    return active
  }

  /** The tab records nothing any more. */
  function leave(left: Active): void {
    left.unfollow()
    if (active !== left) return
    active = null
    state.value = rest()
    parts.tell()
  }

  async function start(recording: NewRecording): Promise<void> {
    const { recordings, vault } = parts.require()
    const { deviceId = null, jotted: _, ...details } = recording
    await requireRoom(0, engineTexts.storageLow)
    const begun = await record(() => recordings.create(vault, details, 'microphone'), {
      ...details,
      deviceId,
    })
    isStarting = true
    const refusal = await awaitRefusal(begun.sending)
    isStarting = false
    if (refusal !== null) {
      await begun.running.stop()
      await recordings.remove(begun.recordingId)
      leave(begun)
      letGo(begun)
      throw refusal
    }
    // A logout has ended it already, and said so.
    if (active !== begun) return
    const row = await recordings.find(begun.recordingId)
    parts.raise('recordingStarted', withSession(begun.detail, row?.sessionId))
  }

  async function finish(): Promise<{ sessionId: string }> {
    const ended = active
    const { recordings, outbox } = parts.require()
    if (ended === null) throw new EngineError(engineTexts.notRecording, 0)
    isFinishing = true
    try {
      await ended.running.stop()
      await ended.pad.settled()
      await recordings.end(ended.recordingId)
    } finally {
      isFinishing = false
    }
    // A logout in between: it is sent at the next sign-in.
    if (active !== ended) throw new EngineError(engineTexts.signedOut, 401)
    leave(ended)
    const { recordingId, sending, running } = ended
    outbox.goOn(recordingId, sending, ended.release)
    parts.raise('recordingStopped', ended.detail)
    // Its session leads nowhere; what can be done about it is said where recordings are that wait.
    if (running.refusal !== null) throw running.refusal
    return { sessionId: await sending.session }
  }

  async function discard(): Promise<void> {
    const ended = active
    if (ended === null) return
    await ended.running.stop()
    await parts.throwAway(ended.recordingId)
    // A logout in between has said so already.
    if (active === ended) parts.raise('recordingStopped', { ...ended.detail, isDiscarded: true })
    leave(ended)
    letGo(ended)
  }

  return {
    shown: { state, level, otherLevel, pad: padShown, isOffRecord, struck, start, finish, discard },
    getActive: () => active,
    isFinishing: () => isFinishing,
    record,
    endWithdrawn: (recordingId) => {
      // Refused at once, it is thrown away where it was started.
      if (isStarting || active?.recordingId !== recordingId) return
      parts.open()
      finish().catch(() => {})
    },
    cutShort: () => {
      const cut = active
      if (cut === null) return
      parts.raise('recordingStopped', cut.detail)
      cut.sending.stop()
      // The microphone stops with the call; its last second is stored behind it.
      void cut.running.stop().finally(() => {
        cut.release()
        parts.tell()
      })
      leave(cut)
    },
  }
}

/** Null: accepted, or not asked yet because the service is away. */
async function awaitRefusal({ session }: Sending): Promise<EngineError | null> {
  try {
    await Promise.race([session, waitUpTo(sessionWithinMs)])
    return null
  } catch (error) {
    return toEngineError(error)
  }
}
