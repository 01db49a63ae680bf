import type { WidgetClinician } from '@casenote/contract'
import { signal, type Signal } from '@preact/signals'
import type {
  AuthState,
  DraftRows,
  Engine,
  NewRecording,
  OwnSignIn,
  RecorderState,
  Selection,
  SendingRecording,
  UnfinishedRecording,
} from '../src/frame/engine/engine.js'
import type { CopiedNote, EventDetail, WidgetSettings } from '../src/protocol.js'
import { clinician } from './stage-data.js'
import { stageVault } from './stage-drafts.js'
import type { StageService } from './stage-memory.js'
import { makeStageRequests } from './stage-service.js'

/** An engine without service and microphone: every state of the screens can be set from outside. */
export interface Stage {
  engine: Engine
  service: StageService
  settings: Signal<WidgetSettings>
  canCopy: Signal<boolean>
  auth: Signal<AuthState>
  /** Whom the service names when it is asked anew; null: the same. */
  renewed: Signal<WidgetClinician | null>
  ownSignIn: Signal<OwnSignIn | null>
  selection: Signal<Selection>
  chart: Signal<Selection>
  recorder: Signal<RecorderState>
  level: Signal<number>
  otherLevel: Signal<number>
  unfinished: Signal<UnfinishedRecording[]>
  sending: Signal<SendingRecording[]>
  /** Null: the browser keeps nothing. */
  drafts: Signal<DraftRows | null>
  /** What went with the last file. */
  uploaded: NewRecording[]
  copied: CopiedNote[]
  raised: { event: string; detail: EventDetail }[]
}

export function makeStage(): Stage {
  const service = makeStageRequests()
  const selection = signal<Selection>({ clientId: null, options: {}, serial: 0 })
  const stage: Omit<Stage, 'engine'> = {
    service,
    settings: signal<WidgetSettings>({}),
    canCopy: signal(true),
    auth: signal<AuthState>({ state: 'signedIn', clinician }),
    renewed: signal<WidgetClinician | null>(null),
    ownSignIn: signal<OwnSignIn | null>(null),
    selection,
    chart: signal<Selection>({ clientId: null, options: {}, serial: 0 }),
    recorder: signal<RecorderState>({ state: 'idle' }),
    level: signal(0),
    otherLevel: signal(0),
    unfinished: signal<UnfinishedRecording[]>([]),
    sending: signal<SendingRecording[]>([]),
    drafts: signal<DraftRows | null>(null),
    uploaded: [],
    copied: [],
    raised: [],
  }
  return { ...stage, engine: makeEngine(stage) }
}

function makeEngine(stage: Omit<Stage, 'engine'>): Engine {
  const { settings, canCopy, auth, selection, chart, service, copied, raised } = stage
  return {
    settings,
    canCopy,
    auth,
    retrySignIn: () => {},
    renewClinician: async () => {
      await service.whenBack('/clinician')
      if (stage.renewed.value !== null) auth.value = { state: 'signedIn', clinician: stage.renewed.value }
    },
    unlock: () => {},
    ownSignIn: stage.ownSignIn,
    selection,
    isOpen: signal(true),
    select: (clientId) => {
      selection.value = { clientId, options: {}, serial: selection.value.serial + 1 }
    },
    chart,
    openChart: () => {
      const { clientId, options } = chart.value
      selection.value = { clientId, options, serial: selection.value.serial + 1 }
    },
    api: service.requests,
    recorder: makeRecorder(stage),
    get store() {
      return stage.drafts.value
    },
    getVault: () => (stage.drafts.value === null ? null : stageVault),
    getServedAtMs: () => Date.now(),
    raise: (event, detail) => {
      raised.push({ event, detail })
    },
    copyNote: async (note, _of, chartClientId) => {
      const isTaken = chartClientId === chart.value.clientId
      if (isTaken) copied.push(note)
      return isTaken
    },
    close: () => {},
  }
}

function makeRecorder({
  recorder,
  level,
  otherLevel,
  unfinished,
  sending,
  service,
  uploaded,
}: Omit<Stage, 'engine'>): Engine['recorder'] {
  const pad = service.pad
  const isOffRecord = signal(false)
  const finish = async (): Promise<{ sessionId: string }> => {
    recorder.value = { state: 'idle' }
    return { sessionId: service.session.value.sessionId }
  }
  const change = (state: 'recording' | 'paused'): void => {
    const now = recorder.value
    if ('recordingId' in now) recorder.value = { ...now, state }
  }
  const forget = async (recordingId: string): Promise<void> => {
    unfinished.value = unfinished.value.filter((one) => one.recordingId !== recordingId)
  }
  return {
    state: recorder,
    level,
    otherLevel,
    hearOtherSide: async (_other, otherSide) => {
      if ('recordingId' in recorder.value) recorder.value = { ...recorder.value, otherSide }
    },
    microphones: signal([
      { deviceId: 'desk', label: 'Desk microphone' },
      { deviceId: 'headset', label: 'Headset' },
    ]),
    refreshMicrophones: async () => {},
    changeMicrophone: async () => {},
    start: async (recording) => {
      recorder.value = toRunning(recording)
    },
    pad,
    jot: (text) => {
      pad.value = { ...pad.value, text }
    },
    mark: () => {
      const atSeconds = 'recordingId' in recorder.value ? recorder.value.seconds : 0
      pad.value = { ...pad.value, markers: [...pad.value.markers, { id: `m${atSeconds}`, atSeconds }] }
    },
    unmark: (id) => {
      pad.value = { ...pad.value, markers: pad.value.markers.filter((one) => one.id !== id) }
    },
    pause: () => change('paused'),
    resume: async () => {
      isOffRecord.value = false
      change('recording')
    },
    isOffRecord,
    keepGap: async ({ seconds }) => {
      if (seconds !== null) return
      isOffRecord.value = true
      change('paused')
    },
    struck: signal([]),
    finish,
    discard: async () => {
      recorder.value = { state: 'idle' }
    },
    uploadFile: (recording) => {
      uploaded.push(recording)
      return finish()
    },
    unfinished,
    sending,
    resumeUnfinished: async (recordingId) => {
      await forget(recordingId)
      recorder.value = toRunning({
        clientId: '',
        clientLabel: '',
        noteType: 'soap',
        templateId: '',
        options: {},
      })
    },
    finishUnfinished: finish,
    discardUnfinished: forget,
    readFiles: async () => [],
  }
}

export const toRunning = ({
  clientId,
  clientLabel,
  isDictated = false,
}: NewRecording): Extract<RecorderState, { recordingId: string }> => ({
  state: 'recording',
  recordingId: 'recording',
  clientId,
  clientLabel,
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
  otherSide: 'none',
  isDictated,
  warning: null,
  deviceId: 'desk',
})
