import { signal, type Signal } from '@preact/signals'
import { engineTexts } from '../../texts/texts.js'
import { newId } from '../new-id.js'
import type { EngineError, OtherSideState, RecorderState } from '../engine.js'
import { waitUpTo } from '../wait.js'
import {
  dryAfterMs,
  isMicrophoneDenied,
  openCapture,
  type Capture,
  type SharedSound,
} from './capture-audio.js'
import { MissedSound, type Missed } from './missed-sound.js'
import type { GapRow, RecordingRow } from './recording-row.js'
import type { RecordingStore } from './recording-store.js'
import { describeDanger } from './shelf.js'
import type { Vault } from './vault.js'

export type RunningState = Extract<RecorderState, { recordingId: string }>

/** How often the meter moves, and how often the state is told. */
const levelEveryMs = 50
const stateEveryMs = 250
/** A frame that was blocked is told the time before it is given its slices: so often it has to be without. */
const dryTicksMin = 4
/** On the meter's scale of 0 to 1: -52 dBFS, above the hiss of a room without a voice. */
const silentBelow = 0.16
/** Who waits longer for another microphone is most often asked by the browser whether it may be used. */
const openingMs = 1_000

export interface RunningRecording {
  state: Signal<RunningState>
  pause(reason: string | null): void
  resume(): Promise<void>
  changeMicrophone(deviceId: string): Promise<void>
  hearOtherSide(other: SharedSound | null, otherSide: OtherSideState, isHalted?: boolean): Promise<void>
  /** Stops the microphone; everything is stored when it resolves. */
  stop(): Promise<void>
  /** Something is not on the disk yet: while it records, the last second never is. */
  hasUnstored(): boolean
  /** The service does not take it: it goes on here, and the clinician is told why. */
  refuse(reason: EngineError): void
  refusal: EngineError | null
}

interface Parts {
  recordings: RecordingStore
  vault: Vault
  level: Signal<number>
  otherLevel: Signal<number>
  /** It stopped by itself, and only the clinician can help. */
  onTrouble: () => void
  /** Keeps what was not recorded though it was to be, with the recording. */
  keepGap: (recordingId: string, gap: GapRow) => Promise<unknown>
}

type Begun = Pick<RunningState, 'clientId' | 'clientLabel' | 'deviceId' | 'otherSide' | 'isDictated'>

/** One recording with its microphone; `row` may have been begun by a tab that is gone. Rejects without a microphone. */
export async function runRecording(
  parts: Parts,
  begin: () => Promise<RecordingRow>,
  what: Begun,
): Promise<{ running: RunningRecording; row: RecordingRow }> {
  const run = new Run(parts, what)
  try {
    await run.open(what.deviceId)
    const row = await begin()
    run.attach(row)
    return { running: run, row }
  } catch (error) {
    await run.abandon()
    throw error
  }
}

class Run implements RunningRecording {
  readonly state: Signal<RunningState>
  readonly #parts: Parts
  readonly #attached: { promise: Promise<string>; resolve(recordingId: string): void }
  #capture: Capture | null = null
  #other: SharedSound | null = null
  /** Microphones are opened one after the other: of two that record at once only one could be stopped. */
  #opening: Promise<unknown> = Promise.resolve()
  /** As the clinician said last, also while a microphone is being opened. */
  #isPaused = false
  #isStopped = false
  /** Slices wait for the ones before them, and the first for its segment. */
  #queue: Promise<unknown> = Promise.resolve()
  #unstored = 0
  #isAbandoned = false
  refusal: EngineError | null = null
  #countedMs = 0
  #countingSinceMs: number | null = null
  /** When the recorder last gave something. */
  #flowedAtMs = 0
  #heardAtMs = performance.now()
  #ownHeardAtMs = this.#heardAtMs
  #otherHeardAtMs = this.#heardAtMs
  #dryTicks = 0
  readonly #missed = new MissedSound()
  readonly #timers: ReturnType<typeof setInterval>[]

  constructor(parts: Parts, what: Begun) {
    this.#parts = parts
    this.state = signal({
      ...what,
      state: 'recording',
      recordingId: '',
      seconds: 0,
      recordedBytes: 0,
      uploadedBytes: 0,
      silentSeconds: 0,
      ownSilentSeconds: 0,
      otherQuietSeconds: 0,
      isDry: false,
      missedSeconds: 0,
      isOffline: false,
      isFull: false,
      pauseReason: null,
      warning: null,
    })
    let resolve = (_recordingId: string): void => {}
    const promise = new Promise<string>((settle) => {
      resolve = settle
    })
    this.#attached = { promise, resolve }
    this.#timers = [
      setInterval(() => this.#measure(), levelEveryMs),
      setInterval(() => this.#tick(), stateEveryMs),
    ]
  }

  /** From here on what the microphone heard has a place. */
  attach({ recordingId, durationMs, segments, hasOtherSide = false }: RecordingRow): void {
    this.#countedMs += durationMs
    const sum = (of: 'bytes' | 'sentBytes'): number => segments.reduce((total, one) => total + one[of], 0)
    this.#tell({
      recordingId,
      recordedBytes: sum('bytes'),
      uploadedBytes: sum('sentBytes'),
      // No browser keeps a permission to hear it.
      ...(hasOtherSide && { otherSide: 'ended' }),
    })
    this.#attached.resolve(recordingId)
  }

  open(deviceId: string | null): Promise<void> {
    return this.#inTurn(() => this.#open(deviceId))
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#opening.then(work)
    this.#opening = done.catch(() => {})
    return done
  }

  /** A new segment: every recorder writes a header of its own. */
  async #open(deviceId: string | null): Promise<void> {
    if (this.#isStopped) return
    let segment: Promise<{ recordingId: string; index: number }> | null = null
    let isTaken = false
    const capture: Capture = await openCapture({
      deviceId,
      other: this.#other,
      onSlice: (slice, durationMs) => {
        if (!isTaken) return
        this.#hearSlice(durationMs)
        segment ??= this.#addSegment(capture.mimeType)
        this.#keep(segment, slice, durationMs)
      },
      onLost: () => {
        if (!isTaken) return
        this.#capture = null
        this.pause(engineTexts.microphoneLost)
        this.#parts.onTrouble()
        // Unplugged, or no longer allowed.
        void isMicrophoneDenied().then((isDenied) =>
          this.#tell(isDenied ? { pauseReason: engineTexts.microphoneRefused } : {}),
        )
      },
    })
    // Browsers ask for the microphone for as long as nobody answers; by then the recording may have ended.
    if (this.#isStopped) return capture.stop()
    isTaken = true
    this.#capture = capture
    if (this.#isPaused) {
      capture.pause()
      return this.#tell({ deviceId: capture.deviceId })
    }
    this.#goOn()
    this.#tell({ deviceId: capture.deviceId })
  }

  #goOn(): void {
    this.#stopCounting()
    this.#heardAtMs = this.#ownHeardAtMs = this.#otherHeardAtMs = performance.now()
    this.#countingSinceMs = performance.now()
    this.#missed.goOn()
    this.#tell({ state: 'recording', pauseReason: null })
  }

  async #addSegment(mimeType: string): Promise<{ recordingId: string; index: number }> {
    // Read before the first wait: later the queue holds the slice that waits for this segment.
    const before = this.#queue
    const recordingId = await this.#attached.promise
    await before
    const index = await this.#persist(() => this.#parts.recordings.addSegment(recordingId, mimeType))
    return { recordingId, index }
  }

  #keep(segment: Promise<{ recordingId: string; index: number }>, slice: Blob, durationMs: number): void {
    this.#unstored += 1
    const before = this.#queue
    this.#queue = (async () => {
      const { recordingId, index } = await segment
      await before
      const plain = await slice.arrayBuffer()
      const { segments } = await this.#persist(() =>
        this.#parts.recordings.addSlice(this.#parts.vault, {
          recordingId,
          segment: index,
          plain,
          durationMs,
        }),
      )
      this.#unstored -= 1
      this.#tell({ recordedBytes: segments.reduce((sum, { bytes }) => sum + bytes, 0) })
    })()
    // Only an abandoned recording gets here.
    this.#queue.catch(() => {})
  }

  /** Tries until it is taken, if only into memory: there it is safe for as long as the tab lives. */
  async #persist<Result>(store: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await store()
      } catch (error) {
        if (this.#isAbandoned) throw error
        await waitUpTo(1_000)
      }
    }
  }

  pause(reason: string | null): void {
    if (this.#isStopped) return
    this.#isPaused = true
    this.#capture?.pause()
    this.#stopCounting()
    this.#lieFlat()
    this.#tell({ state: 'paused', pauseReason: reason })
  }

  resume(): Promise<void> {
    this.#isPaused = false
    return this.#inTurn(async () => {
      // Paused once more, or ended, while another microphone was being opened.
      if (this.#isPaused || this.#isStopped) return
      if (this.#capture === null) return this.#open(null)
      this.#capture.resume()
      this.#goOn()
    })
  }

  /** Where the other one cannot be opened it goes on with the one that it had; without any it pauses. */
  changeMicrophone(deviceId: string): Promise<void> {
    // Chosen because the one before is lost: it goes on with this one.
    if (this.state.value.pauseReason !== null) this.#isPaused = false
    return this.#inTurn(() => this.#change(deviceId))
  }

  hearOtherSide(other: SharedSound | null, otherSide: OtherSideState, isHalted = false): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isStopped) return other?.stop()
      this.#other?.stop()
      this.#other = other
      if (other === null) this.#tell({ otherSide })
      if (otherSide === 'ended') this.#parts.onTrouble()
      // Without another side the microphone stays in the sound that it had with the one before, while that one runs.
      if ((other !== null || isHalted) && this.#capture !== null)
        await this.#change(this.state.value.deviceId)
      this.#tell({ otherSide })
    })
  }

  async #change(deviceId: string | null): Promise<void> {
    const { deviceId: before, pauseReason } = this.state.value
    const old = this.#capture
    // In its place until its last second is given: whoever stops the recording meanwhile waits for it, too.
    await old?.stop()
    this.#capture = null
    this.#stopCounting()
    this.#lieFlat()
    await this.#queue
    const waiting = setTimeout(() => {
      if (!this.#isPaused && !this.#isStopped)
        this.#tell({ state: 'paused', pauseReason: engineTexts.microphoneOpening })
    }, openingMs)
    try {
      await this.#open(deviceId)
    } catch (error) {
      // The same microphone: it may be what it is mixed with that fails.
      if (deviceId === before) {
        this.#other?.stop()
        this.#other = null
      }
      if (old === null) this.pause(pauseReason)
      else await this.#open(before).catch(() => this.pause(engineTexts.microphoneLost))
      throw error
    } finally {
      clearTimeout(waiting)
    }
  }

  /** Waits for no microphone that is being opened: that one is closed as soon as it is there. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopCounting()
    this.#tell({ state: 'finishing' })
    await this.#capture?.stop()
    this.#capture = null
    this.#other?.stop()
    await this.#queue
    this.#close()
  }

  /** For one that never began: nothing of it is kept. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true
    this.#isStopped = true
    this.#close()
    await this.#capture?.stop()
  }

  hasUnstored(): boolean {
    return this.#unstored > 0 || this.#countingSinceMs !== null
  }

  refuse(reason: EngineError): void {
    this.refusal = reason
    this.#tell({})
  }

  #close(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#lieFlat()
  }

  #lieFlat(): void {
    this.#parts.level.value = this.#parts.otherLevel.value = 0
  }

  #stopCounting(): void {
    this.#keepMissed(this.#missed.end(), 0)
    this.#countedMs += this.#readRunningMs()
    this.#countingSinceMs = null
  }

  /** A system may take the sound away (a call on a phone) and tell nobody: what is not recorded is not counted. */
  #readRunningMs(): number {
    if (this.#countingSinceMs === null) return 0
    const nowMs = performance.now()
    return (
      (this.#isDry(nowMs) ? Math.max(this.#flowedAtMs, this.#countingSinceMs) : nowMs) - this.#countingSinceMs
    )
  }

  #isDry(nowMs: number): boolean {
    const sinceMs = this.#countingSinceMs
    return sinceMs !== null && nowMs - Math.max(this.#flowedAtMs, sinceMs) > dryAfterMs
  }

  #tick(): void {
    this.#dryTicks = this.#isDry(performance.now()) ? this.#dryTicks + 1 : 0
    const isDry = this.#dryTicks >= dryTicksMin
    if (isDry && !this.state.value.isDry) this.#parts.onTrouble()
    this.#tell({ isDry })
  }

  #hearSlice(durationMs: number): void {
    const nowMs = performance.now()
    if (this.#countingSinceMs !== null && this.#isDry(nowMs)) {
      this.#countedMs += this.#readRunningMs()
      this.#countingSinceMs = nowMs - durationMs
    }
    this.#flowedAtMs = nowMs
    this.#keepMissed(this.#missed.hear(durationMs), durationMs)
  }

  /** Before the sound that came behind it. */
  #keepMissed(missed: Missed | null, behindMs: number): void {
    if (missed === null) return
    const start = Math.max(0, (this.#countedMs + this.#readRunningMs() - behindMs) / 1000)
    const gap = { ...missed, id: newId(), start, end: start }
    const before = this.#queue
    this.#queue = (async () => {
      const recordingId = await this.#attached.promise
      await before
      await this.#persist(() => this.#parts.keepGap(recordingId, gap))
    })()
    this.#queue.catch(() => {})
    this.#tell({ missedSeconds: this.state.value.missedSeconds + missed.seconds })
    this.#parts.onTrouble()
  }

  #measure(): void {
    if (this.#countingSinceMs === null || this.#capture === null) return
    const level = this.#capture.readLevel()
    const otherLevel = this.#capture.readOtherLevel()
    this.#parts.level.value = level
    this.#parts.otherLevel.value = otherLevel
    const nowMs = performance.now()
    if (Math.max(level, otherLevel) >= silentBelow) this.#heardAtMs = nowMs
    if (level >= silentBelow) this.#ownHeardAtMs = nowMs
    // What is shared has no hiss.
    if (otherLevel > 0) this.#otherHeardAtMs = nowMs
  }

  #tell(news: Partial<RunningState>): void {
    const nowMs = performance.now()
    const isShared = (news.otherSide ?? this.state.value.otherSide) === 'shared'
    const secondsSince = (heardAtMs: number, isAsked = true): number =>
      this.#countingSinceMs === null || !isAsked ? 0 : (nowMs - heardAtMs) / 1000
    this.state.value = {
      ...this.state.value,
      seconds: (this.#countedMs + this.#readRunningMs()) / 1000,
      silentSeconds: secondsSince(this.#heardAtMs),
      ownSilentSeconds: secondsSince(this.#ownHeardAtMs, isShared),
      otherQuietSeconds: secondsSince(this.#otherHeardAtMs, isShared),
      warning:
        describeDanger(
          this.#parts.recordings.isUnwritten(this.state.value.recordingId),
          this.state.value.isFull,
        ) ??
        this.refusal?.message ??
        null,
      ...news,
    }
  }
}
