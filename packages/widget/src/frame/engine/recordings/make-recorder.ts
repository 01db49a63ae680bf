import type { SessionPad } from '@casenote/contract'
import { signal } from '@preact/signals'
import { engineTexts } from '../../texts/texts.js'
import type { EventDetail } from '../../../protocol.js'
import { EngineError, type NewRecording, type OtherSideState, type RecorderState } from '../engine.js'
import { toEngineError } from '../to-engine-error.js'
import { waitUpTo } from '../wait.js'
import { canRecord, listMicrophones, type SharedSound } from './capture-audio.js'
import { requireRoom } from './copy-file.js'
import { discardLater } from './discard-later.js'
import { makeFileUploads } from './file-uploads.js'
import { closeGaps, placeBack } from './gaps.js'
import { isForbidden } from './is-forbidden.js'
import { lockRecording } from './lock-recording.js'
import { keepAwake } from './keep-awake.js'
import { Outbox } from './outbox.js'
import { emptyPad, Pad, readPad } from './pad.js'
import { readFiles } from './read-files.js'
import { letGo, type Active, type RecorderControl, type RecorderParts } from './recorder-parts.js'
import type { GapRow, RecordingRow } from './recording-row.js'
import type { RecordingStore } from './recording-store.js'
import { runRecording } from './running-recording.js'
import { sendRecording, type Sending, type SendingParts, type SendingProgress } from './send-recording.js'
import { makeShelf } from './shelf.js'
import type { Vault } from './vault.js'

/** How long a start waits for the service's word; without one the recording goes on, and is offered later. */
const sessionWithinMs = 4_000

export function makeRecorder(parts: RecorderParts): RecorderControl {
  return new TabRecorder(parts)
}

class TabRecorder implements RecorderControl {
  readonly #parts: RecorderParts
  readonly #shelf
  readonly state = signal<RecorderState>({ state: 'idle' })
  readonly level = signal(0)
  readonly otherLevel = signal(0)
  readonly microphones = signal<{ deviceId: string; label: string }[]>([])
  readonly pad = signal<SessionPad>(emptyPad)
  readonly isOffRecord = signal(false)
  readonly struck = signal<readonly GapRow[]>([])
  readonly unfinished
  readonly sending
  #vault: Vault | null = null
  /** Rises with each sign-out: what began before it does not run on after it. */
  #era = 0
  #active: Active | null = null
  #isStarting = false
  /** Its gaps are sent as they are. */
  #isFinishing = false
  readonly #uploads
  readonly #outbox: Outbox | null

  constructor(parts: RecorderParts) {
    this.#parts = parts
    this.#shelf = makeShelf({
      recordings: parts.recordings,
      getVault: () => this.#vault,
      getRunningId: () => this.#active?.recordingId ?? null,
      onNews: () => void this.#outbox?.sendEnded(),
    })
    this.#outbox = parts.recordings === null ? null : this.#makeOutbox(parts.recordings)
    this.#uploads = makeFileUploads({
      recordings: parts.recordings,
      require: () => this.#require(),
      beginSending: (recordingId) => {
        const { recordings, vault } = this.#require()
        return sendRecording(this.#describeSending(recordings, vault), recordingId)
      },
      getEra: () => this.#era,
      throwAway: (recordingId) => this.#throwAway(recordingId),
    })
    this.unfinished = this.#shelf.unfinished
    this.sending = this.#shelf.sending
    this.state.value = this.#rest()
    addEventListener('beforeunload', (event) => {
      const isUnstored = this.#active?.running.hasUnstored() || parts.recordings?.isUnwritten()
      if (this.#uploads.isCopying() || isUnstored) event.preventDefault()
    })
    navigator.mediaDevices?.addEventListener('devicechange', () => void this.refreshMicrophones())
  }

  #makeOutbox(recordings: RecordingStore): Outbox {
    return new Outbox({
      recordings,
      getVault: () => this.#vault,
      describeSending: (vault) => this.#describeSending(recordings, vault),
      onSent: this.#parts.onSent,
      onProblem: (recordingId, problem) => {
        this.#shelf.update(recordingId, { problem })
        this.#parts.raise('error', { code: 'uploadRefused', message: problem.message })
      },
      onChange: () => this.#shelf.tell(),
    })
  }

  #rest(): RecorderState {
    if (!isSecureContext) return { state: 'unavailable', reason: engineTexts.insecure }
    if (!canRecord()) return { state: 'unavailable', reason: engineTexts.noRecorder }
    if (this.#parts.recordings === null) return { state: 'unavailable', reason: engineTexts.noStorage }
    if (isForbidden('microphone')) return { state: 'unavailable', reason: engineTexts.microphoneForbidden }
    return { state: 'idle' }
  }

  async refreshMicrophones(): Promise<void> {
    if (canRecord()) this.microphones.value = await listMicrophones()
  }

  async signIn(vault: Vault): Promise<void> {
    this.#vault = vault
    await this.#uploads.dropHalfCopies(vault)
    await this.#shelf.refresh()
    await this.#outbox?.sendEnded()
  }

  signOut(): void {
    const active = this.#active
    this.#vault = null
    this.#era += 1
    this.#outbox?.stop()
    this.#uploads.stop()
    if (active !== null) {
      this.#parts.raise('recordingStopped', active.detail)
      active.sending.stop()
      // The microphone stops with the call; its last second is stored behind it.
      void active.running.stop().finally(() => {
        active.release()
        this.#shelf.tell()
      })
      this.#leave(active)
    }
    void this.#shelf.refresh()
  }

  async start(recording: NewRecording): Promise<void> {
    const { recordings, vault } = this.#require()
    const { deviceId = null, jotted: _, ...details } = recording
    await requireRoom(0, engineTexts.storageLow)
    const active = await this.#record(() => recordings.create(vault, details, 'microphone'), {
      ...details,
      deviceId,
    })
    this.#isStarting = true
    const refusal = await this.#awaitRefusal(active.sending)
    this.#isStarting = false
    if (refusal !== null) {
      await active.running.stop()
      await recordings.remove(active.recordingId)
      this.#leave(active)
      letGo(active)
      throw refusal
    }
    // A logout has ended it already, and said so.
    if (this.#active !== active) return
    const row = await recordings.find(active.recordingId)
    this.#parts.raise('recordingStarted', withSession(active.detail, row?.sessionId))
  }

  /** Null: accepted, or not asked yet because the service is away. */
  async #awaitRefusal({ session }: Sending): Promise<EngineError | null> {
    try {
      await Promise.race([session, waitUpTo(sessionWithinMs)])
      return null
    } catch (error) {
      return toEngineError(error)
    }
  }

  async #record(
    begin: () => Promise<RecordingRow>,
    what: Pick<NewRecording, 'clientId' | 'clientLabel' | 'options'> & { deviceId: string | null },
  ): Promise<Active> {
    const { recordings, vault } = this.#require()
    if (this.#active !== null || this.#isStarting) throw new EngineError(engineTexts.alreadyRecording, 0)
    this.#isStarting = true
    const era = this.#era
    try {
      const { clientId, clientLabel, deviceId, options } = what
      const { level, otherLevel } = this
      const run = { recordings, vault, level, otherLevel, onTrouble: this.#parts.open }
      let release: (() => void) | null = null
      let kept = emptyPad
      const { running, row } = await runRecording(
        run,
        async () => {
          this.#requireEra(era)
          const begun = await begin()
          // Here, since nothing may be waited for once the era is checked: a logout would not find what runs.
          kept = await readPad(vault, begun)
          release = await lockRecording(begun.recordingId)
          if (release === null) throw new EngineError(engineTexts.openElsewhere, 0)
          return begun
        },
        { clientId, clientLabel, deviceId, otherSide: options.usingHeadphones ? 'wanted' : 'none' },
      )
      if (era !== this.#era) {
        await running.stop()
        ;(release ?? (() => {}))()
        this.#requireEra(era)
      }
      const { recordingId } = row
      this.struck.value = row.gaps ?? []
      const sending = sendRecording(this.#describeSending(recordings, vault), recordingId)
      const { sessionExternalId } = options
      const detail = { recordingId, clientId, ...(sessionExternalId ? { sessionExternalId } : {}) }
      const pad = new Pad({ recordings, vault, recordingId }, kept)
      return this.#enter({
        running,
        pad,
        sending,
        recordingId,
        clientId,
        detail,
        release: release ?? (() => {}),
      })
    } catch (error) {
      this.state.value =
        era === this.#era ? { state: 'unavailable', reason: toEngineError(error).message } : this.#rest()
      throw error
    } finally {
      this.#isStarting = false
      void this.refreshMicrophones()
    }
  }

  /** Nothing is recorded for a clinician who is gone. */
  #requireEra(era: number): void {
    if (era !== this.#era) throw new EngineError(engineTexts.signedOut, 401)
  }

  #enter(begun: Omit<Active, 'unfollow'>): Active {
    const { running, pad, sending } = begun
    const unsubscribe = running.state.subscribe((state) => {
      this.state.value = state
      // However it goes on: by the clinician's word, or with another microphone.
      if (state.state !== 'recording' || !this.isOffRecord.value) return
      this.isOffRecord.value = false
      void this.#parts.recordings?.change(state.recordingId, closeGaps)
    })
    const leavePad = pad.value.subscribe((value) => {
      this.pad.value = value
    })
    const sleep = keepAwake()
    const unfollow = (): void => {
      unsubscribe()
      leavePad()
      this.pad.value = emptyPad
      this.isOffRecord.value = false
      sleep()
    }
    const active = { ...begun, unfollow }
    this.#active = active
    // Refused while it runs: it is kept here, and the clinician is told.
    sending.done.catch((error: unknown) => {
      running.refuse(toEngineError(error))
    })
    this.#shelf.tell()
    return active
  }

  /** The tab records nothing any more. */
  #leave(active: Active): void {
    active.unfollow()
    if (this.#active !== active) return
    this.#active = null
    this.state.value = this.#rest()
    this.#shelf.tell()
  }

  pause(): void {
    this.#active?.running.pause(null)
  }

  async resume(): Promise<void> {
    await this.#active?.running.resume()
  }

  async keepGap(gap: GapRow): Promise<void> {
    const active = this.#active
    if (active === null || this.#isFinishing) throw new EngineError(engineTexts.notRecording, 0)
    // Where nothing was recorded it goes on until the recording does.
    if (gap.seconds === null) {
      this.pause()
      this.isOffRecord.value = true
    }
    const { seconds } = active.running.state.value
    const row = await this.#parts.recordings?.change(active.recordingId, (changed) => {
      const from = placeBack(changed.segments, seconds - gap.start)
      // The last second is in no segment yet.
      const to = placeBack(changed.segments, seconds - gap.end - 1)
      changed.gaps = [...(changed.gaps ?? []), gap.end > gap.start && from && to ? { ...gap, from, to } : gap]
    })
    this.struck.value = row?.gaps ?? []
    active.sending.wake()
  }

  jot(text: string): void {
    this.#active?.pad.jot(text)
  }

  mark(): void {
    this.#active?.pad.mark(this.#active.running.state.value.seconds)
  }

  unmark(id: string): void {
    this.#active?.pad.unmark(id)
  }

  async changeMicrophone(deviceId: string): Promise<void> {
    // Else one that takes the place of a lost one would go on recording.
    if (this.isOffRecord.value) this.pause()
    await this.#active?.running.changeMicrophone(deviceId)
  }

  async hearOtherSide(other: SharedSound | null, state: OtherSideState, isHalted = false): Promise<void> {
    const active = this.#active
    if (active === null) return other?.stop()
    await active.running.hearOtherSide(other, state, isHalted)
    await this.#parts.recordings?.change(active.recordingId, (row) => {
      row.hasOtherSide = state !== 'none'
    })
  }

  async finish(): Promise<{ sessionId: string }> {
    const active = this.#active
    const { recordings, outbox } = this.#require()
    if (active === null) throw new EngineError(engineTexts.notRecording, 0)
    this.#isFinishing = true
    try {
      await active.running.stop()
      await active.pad.settled()
      await recordings.end(active.recordingId)
    } finally {
      this.#isFinishing = false
    }
    // A logout in between: it is sent at the next sign-in.
    if (this.#active !== active) throw new EngineError(engineTexts.signedOut, 401)
    this.#leave(active)
    const { recordingId, sending } = active
    outbox.goOn(recordingId, sending, active.release)
    this.#parts.raise('recordingStopped', active.detail)
    // Its session leads nowhere; what can be done about it is said where recordings are that wait.
    if (active.running.refusal !== null) throw active.running.refusal
    return { sessionId: await sending.session }
  }

  /** The service takes it as whole only once the clinician has said what becomes of it: where it waits to be sent, they are asked. */
  #endWithdrawn(recordingId: string): void {
    // Refused at once, it is thrown away where it was started.
    if (this.#isStarting || this.#active?.recordingId !== recordingId) return
    this.#parts.open()
    this.finish().catch(() => {})
  }

  async discard(): Promise<void> {
    const active = this.#active
    if (active === null) return
    await active.running.stop()
    await this.#throwAway(active.recordingId)
    // A logout in between has said so already.
    if (this.#active === active)
      this.#parts.raise('recordingStopped', { ...active.detail, isDiscarded: true })
    this.#leave(active)
    letGo(active)
  }

  async uploadFile(
    recording: NewRecording,
    file: File,
    despiteDoubt = false,
  ): Promise<{ sessionId: string }> {
    this.#require()
    return this.#uploads.upload(recording, file, despiteDoubt)
  }

  async resumeUnfinished(recordingId: string): Promise<void> {
    const { recordings, vault } = this.#require()
    const row = await this.#findUnfinished(recordingId)
    const details = await recordings.readDetails(vault, row)
    await recordings.change(recordingId, closeGaps)
    const { detail } = await this.#record(async () => row, { ...details, deviceId: null })
    this.#parts.raise('recordingStarted', withSession(detail, row.sessionId))
  }

  async finishUnfinished(recordingId: string, isKept?: boolean): Promise<{ sessionId: string }> {
    const { recordings, vault, outbox } = this.#require()
    await this.#findUnfinished(recordingId)
    await this.#whileLocked(recordingId, () => recordings.end(recordingId, isKept))
    return { sessionId: await outbox.send(vault, recordingId) }
  }

  async readFiles(recordingId: string): Promise<File[]> {
    const { recordings, vault } = this.#require()
    return readFiles(recordings, vault, await this.#findUnfinished(recordingId))
  }

  async discardUnfinished(recordingId: string): Promise<void> {
    await this.#findUnfinished(recordingId)
    await this.#whileLocked(recordingId, () => this.#throwAway(recordingId))
    this.#shelf.tell()
  }

  async #whileLocked(recordingId: string, work: () => Promise<void>): Promise<void> {
    const release = await lockRecording(recordingId)
    if (release === null) throw new EngineError(engineTexts.openElsewhere, 0)
    try {
      await work()
    } finally {
      release()
    }
  }

  async #findUnfinished(recordingId: string): Promise<RecordingRow> {
    const { recordings, vault } = this.#require()
    const row = await recordings.find(recordingId)
    if (row === undefined || row.clinicianId !== vault.clinicianId) {
      throw new EngineError(engineTexts.recordingGone, 404)
    }
    return row
  }

  #require(): { recordings: RecordingStore; outbox: Outbox; vault: Vault } {
    const { recordings } = this.#parts
    const outbox = this.#outbox
    if (recordings === null || outbox === null) throw new EngineError(engineTexts.noStorage, 0)
    if (this.#vault === null) throw new EngineError(engineTexts.signedOut, 401)
    return { recordings, outbox, vault: this.#vault }
  }

  /** Off this device at once; the service is told when it can be reached, for as long as this tab lives. */
  async #throwAway(recordingId: string): Promise<void> {
    const { recordings, authorizedFetch } = this.#parts
    const row = await recordings?.find(recordingId)
    await recordings?.remove(recordingId)
    this.#shelf.tell()
    const sessionId = row?.sessionId ?? null
    if (sessionId === null) return
    void discardLater(authorizedFetch, sessionId, () => this.#vault?.clinicianId === row?.clinicianId)
  }

  #describeSending(recordings: RecordingStore, vault: Vault): SendingParts {
    const { authorizedFetch, whenSignedIn } = this.#parts
    const onProgress = (progress: SendingProgress): void => {
      const { recordingId, isOffline, isFull } = progress
      const running = this.#active?.recordingId === recordingId ? this.#active.running : null
      if (running === null) {
        this.#shelf.update(recordingId, { isOffline, isFull, problem: null })
        this.#shelf.tell()
      } else running.state.value = { ...running.state.value, ...progress }
    }
    return {
      recordings,
      vault,
      authorizedFetch,
      whenSignedIn,
      onProgress,
      onWithdrawn: (recordingId) => this.#endWithdrawn(recordingId),
    }
  }
}

/** Not there while the service has not answered: an empty one would be filed under. */
const withSession = (detail: EventDetail, sessionId: string | null | undefined): EventDetail =>
  sessionId ? { ...detail, sessionId } : detail
