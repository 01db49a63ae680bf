import { signal } from '@preact/signals'
import { engineTexts } from '../../texts/texts.js'
import { EngineError } from '../engine.js'
import { canRecord, listMicrophones } from './capture-audio.js'
import { discardLater } from './discard-later.js'
import { makeFileUploads } from './file-uploads.js'
import { Outbox } from './outbox.js'
import type { Ready, RecorderControl, RecorderParts } from './recorder-parts.js'
import { makeControls } from './recording-controls.js'
import type { RecordingStore } from './recording-store.js'
import { sendRecording, type Sending, type SendingParts, type SendingProgress } from './send-recording.js'
import { makeShelf } from './shelf.js'
import { makeTabRecording } from './tab-recording.js'
import { makeUnfinished } from './unfinished-recordings.js'
import type { Vault } from './vault.js'

/** Puts together what records, what lies on this device and what is sent; who is signed in, all of them learn here. */
export function makeRecorder(parts: RecorderParts): RecorderControl {
  const { recordings, authorizedFetch, whenSignedIn, raise } = parts
  const microphones = signal<{ deviceId: string; label: string }[]>([])
  let vault: Vault | null = null
  let era = 0

  const getEra = (): number => era
  const shelf = makeShelf({
    recordings,
    getVault: () => vault,
    getRunningId: () => tab.getActive()?.recordingId ?? null,
    onNews: () => void outbox?.sendEnded(),
  })
  const { tell } = shelf
  const outbox = recordings === null ? null : makeOutbox(recordings)
  const tab = makeTabRecording({
    ...parts,
    require,
    getEra,
    beginSending,
    throwAway,
    tell,
    refreshMicrophones,
  })
  const uploads = makeFileUploads({ recordings, require, beginSending, getEra, throwAway })

  function makeOutbox(store: RecordingStore): Outbox {
    return new Outbox({
      recordings: store,
      getVault: () => vault,
      describeSending: (owner) => describeSending(store, owner),
      onSent: parts.onSent,
      onProblem: (recordingId, problem) => {
        shelf.update(recordingId, { problem })
        raise('error', { code: 'uploadRefused', message: problem.message })
      },
      onChange: tell,
    })
  }

  function require(): Ready {
    if (recordings === null || outbox === null) throw new EngineError(engineTexts.noStorage, 0)
    if (vault === null) throw new EngineError(engineTexts.signedOut, 401)
    return { recordings, outbox, vault }
  }

  function beginSending(recordingId: string, ready = require()): Sending {
    return sendRecording(describeSending(ready.recordings, ready.vault), recordingId)
  }

  function describeSending(store: RecordingStore, owner: Vault): SendingParts {
    const onProgress = (progress: SendingProgress): void => {
      const { recordingId, isOffline, isFull } = progress
      const active = tab.getActive()
      if (active?.recordingId === recordingId) {
        const { state } = active.running
        state.value = { ...state.value, ...progress }
        return
      }
      shelf.update(recordingId, { isOffline, isFull, problem: null })
      tell()
    }
    const { endWithdrawn: onWithdrawn } = tab
    return {
      recordings: store,
      vault: owner,
      // With the tokens of its own clinician alone: a step that was on its way at a change of clinicians ends there.
      authorizedFetch: (path, init) =>
        vault?.clinicianId === owner.clinicianId
          ? authorizedFetch(path, init)
          : Promise.reject(new EngineError(engineTexts.signedOut, 401)),
      whenSignedIn,
      raise,
      onProgress,
      onWithdrawn,
    }
  }

  /** Off this device at once; the service is told when it can be reached, for as long as this tab lives. */
  async function throwAway(recordingId: string): Promise<void> {
    const row = await recordings?.find(recordingId)
    await recordings?.remove(recordingId)
    tell()
    const sessionId = row?.sessionId ?? null
    if (sessionId === null) return
    void discardLater(authorizedFetch, sessionId, () => vault?.clinicianId === row?.clinicianId)
  }

  async function refreshMicrophones(): Promise<void> {
    if (canRecord()) microphones.value = await listMicrophones()
  }

  addEventListener('beforeunload', (event) => {
    const isUnstored = tab.getActive()?.running.hasUnstored() || recordings?.isUnwritten()
    if (uploads.isCopying() || isUnstored) event.preventDefault()
  })
  navigator.mediaDevices?.addEventListener('devicechange', () => void refreshMicrophones())

  return {
    isBusy: () => tab.getActive() !== null || uploads.isCopying() || recordings?.isUnwritten() === true,
    ...tab.shown,
    ...makeControls(recordings, tab),
    ...makeUnfinished({ require, record: tab.record, throwAway, tell, raise }),
    unfinished: shelf.unfinished,
    sending: shelf.sending,
    microphones,
    refreshMicrophones,
    uploadFile: (recording, file, despiteDoubt = false) => uploads.upload(recording, file, despiteDoubt),
    async signIn(signedIn) {
      vault = signedIn
      await uploads.dropHalfCopies(signedIn)
      await shelf.refresh()
      await outbox?.sendEnded()
    },
    signOut() {
      vault = null
      era += 1
      outbox?.stop()
      uploads.stop()
      tab.cutShort()
      void shelf.refresh()
    },
  }
}
