import type { SessionPad, WidgetClinician, WidgetSession } from '@casenote/contract'
import type { ReadonlySignal } from '@preact/signals'
import type { GapRow } from './recordings/recording-row.js'
import type { Vault } from './recordings/sealed.js'
import type {
  CopiedNote,
  EventDetail,
  NoteContext,
  SelectionOptions,
  WidgetEvent,
  WidgetSettings,
} from '../../protocol.js'

/** What the screens see of everything below them. Signals change; promises reject with an `EngineError`. */
export interface Engine {
  settings: ReadonlySignal<WidgetSettings>
  /** Whether the page listens for copied notes. */
  canCopy: ReadonlySignal<boolean>
  /** False while the page shows only its button. */
  isOpen: ReadonlySignal<boolean>
  auth: ReadonlySignal<AuthState>
  /** Where the page named the clinician's address instead of handing over tokens; null: it does the signing in. */
  ownSignIn: ReadonlySignal<OwnSignIn | null>
  /** After a refusal that can be tried again: with the tokens that there are. */
  retrySignIn(): void
  /** Asks for the clinician anew: who co-signs for them may be another by now. */
  renewClinician(): Promise<void>
  /** Uncovers a locked widget, once the page has authenticated the clinician again. */
  unlock(): void
  /** What the page, or the clinician in the search, chose last. `serial` rises with each choice. */
  selection: ReadonlySignal<Selection>
  select(clientId: string | null): void
  /** Whom the page shows, as it said last; not followed while another client is being recorded. */
  chart: ReadonlySignal<Selection>
  /** The clinician follows the page. */
  openChart(): void
  api: WidgetRequests
  recorder: Recorder
  /** For what lies on this device; either is null where there is none. */
  store: DraftRows | null
  getVault(): Vault | null
  /** When the service last answered, by its own clock: a device's may stand anywhere. Null: it did not yet. */
  getServedAtMs(): number | null
  /** The engine itself raises all events but `error` and `noteWithdrawn`: what a watched session tells, and what the recorder does. */
  raise(event: WidgetEvent, detail: EventDetail, of?: NoteContext): void
  /** For the chart of this client. False: the page shows another one by now, and nothing was handed over. */
  copyNote(copied: CopiedNote, of: NoteContext, chartClientId: string | null): Promise<boolean>
  close(): void
}

/** As much of the browser's storage as a screen needs. */
export interface DraftRows {
  list<Row>(table: 'drafts'): Promise<Row[]>
  put(table: 'drafts', row: object): Promise<void>
  remove(table: 'drafts', keys: string[]): Promise<void>
  sweep<Row extends object>(table: 'drafts', apply: (row: Row) => Row | null): Promise<void>
}

export type AuthState =
  | { state: 'starting' }
  /** Nobody authenticated yet, or logged out. */
  | { state: 'signedOut' }
  | { state: 'signedIn'; clinician: WidgetClinician }
  /** Nobody touched it for a while: covered, until the clinician asks for it and the page authenticates them again. */
  | { state: 'locked'; clinician: WidgetClinician; isAsked: boolean }
  /** The tokens are gone while work goes on: the page was asked to authenticate again. */
  | { state: 'authenticationRequired'; clinician: WidgetClinician | null }
  /** `reason` is a sentence for the clinician. What may go by itself can be tried again. */
  | { state: 'refused'; reason: string; canRetry: boolean }

/** Whose screens are there, also behind the lock and while tokens are gone. */
export const clinicianOf = (auth: AuthState): WidgetClinician | null =>
  'clinician' in auth ? auth.clinician : null

/** The clinician signs in with a mailed code. Both calls reject with a sentence that can be shown. */
export interface OwnSignIn {
  email: string
  /** A code of this tab's is on its way, perhaps from before the frame was loaded anew. */
  isAsked(): boolean
  /** Mails a code; an earlier one of this window is void. */
  request(): Promise<void>
  redeem(code: string): Promise<void>
}

export interface Selection {
  clientId: string | null
  options: SelectionOptions
  serial: number
}

/**
 * The one kind of failure a screen sees. `status` 0: no answer (offline). `message` is fit to be shown; empty: the screen has the
 * words. `cause`: where the service refused, its answer.
 */
export class EngineError extends Error {
  constructor(
    message: string,
    readonly status: number,
    options?: ErrorOptions,
    /** The service's word for why it refuses (`docs/errors.md`). */
    readonly code: string | null = null,
  ) {
    super(message, options)
  }
}

/** Why a file is not sent. `isDoubt`: the browser cannot read it, and the service perhaps can. */
export class FileRefusal extends EngineError {
  constructor(
    message: string,
    readonly isDoubt = false,
  ) {
    super(message, 0)
  }
}

export interface WidgetRequests {
  /** Path below `/widget/v1`. Renews and repeats once after a 401; repeats a GET while the network is away. */
  get<Answer>(path: string): Promise<Answer>
  send<Answer>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** Both also give the `ETag`. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as `get`: the caller knows what the path answers
  sendTagged<Answer>(
    method: 'PATCH',
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<{ body: Answer; etag: string }>
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as `get`: the caller knows what the path answers
  getTagged<Answer>(path: string): Promise<{ body: Answer; etag: string }>
  getBlob(path: string): Promise<Blob>
  /** Server-sent events; reconnects by itself until `stop()`. */
  watchSession(
    sessionId: string,
    onSession: (session: WidgetSession) => void,
    /** It is not the clinician's, or no longer: nothing more will be heard. */
    onLost?: () => void,
  ): { stop(): void }
  /** For the page: what was read of a session that it did not hear of by its events. Told once, whoever is first. */
  tell(session: WidgetSession, before: WidgetSession): void
}

export interface Recorder {
  state: ReadonlySignal<RecorderState>
  /** 0 to 1, some 20 times a second while recording; never stored. */
  level: ReadonlySignal<number>
  microphones: ReadonlySignal<{ deviceId: string; label: string }[]>
  refreshMicrophones(): Promise<void>
  start(recording: NewRecording): Promise<void>
  pause(): void
  resume(): Promise<void>
  /** The pad of the recording that runs: kept with every key, like the recording itself. */
  pad: ReadonlySignal<SessionPad>
  jot(text: string): void
  /** The moment that is being recorded. */
  mark(): void
  unmark(id: string): void
  /** What the microphone hears meanwhile is kept nowhere; `resume` ends it. */
  isOffRecord: ReadonlySignal<boolean>
  /** One without a length in seconds begins now; what was recorded in another is taken out by the service. */
  keepGap(gap: GapRow): Promise<void>
  struck: ReadonlySignal<readonly GapRow[]>
  /** As `level`, of the other side of a call; 0 while it is not shared. */
  otherLevel: ReadonlySignal<number>
  /** Goes on with it beside the microphone; null: without it, and why; `isHalted`: nothing comes out of what mixed the two. Stops it with the recording. */
  hearOtherSide(other: OtherSide | null, state: OtherSideState, isHalted?: boolean): Promise<void>
  /** Goes on with another microphone, recording or paused. */
  changeMicrophone(deviceId: string): Promise<void>
  /** Ends the recording; what is not uploaded goes on uploading. Resolves with its session once that is known. */
  finish(): Promise<{ sessionId: string }>
  discard(): Promise<void>
  /** Copied, sealed, before it is sent: the tab may be closed as soon as `sending` shows all of it as recorded. */
  /** What is no recording is refused before anything begins, with a `FileRefusal`; a doubt can be overruled. */
  uploadFile(recording: NewRecording, file: File, despiteDoubt?: boolean): Promise<{ sessionId: string }>
  /** Ended recordings and files on their way to the service, by this tab or another one. */
  sending: ReadonlySignal<SendingRecording[]>
  /** Recordings of this clinician on this device that were never finished. */
  unfinished: ReadonlySignal<UnfinishedRecording[]>
  resumeUnfinished(recordingId: string): Promise<void>
  /** Sends an ended one that was refused once more. `isKept`: its client withdrew the consent, and the clinician keeps what there is. */
  finishUnfinished(recordingId: string, isKept?: boolean): Promise<{ sessionId: string }>
  /** Also one that cannot be sent. */
  discardUnfinished(recordingId: string): Promise<void>
  /** What is here of a recording, not sealed any more; one file for each of its segments. */
  readFiles(recordingId: string): Promise<File[]>
}

/** `wanted`: the page says that there are headphones. `ended`: it was shared, and is not heard any more. */
export type OtherSideState = 'none' | 'wanted' | 'shared' | 'ended'

/** What a tab or the system plays, while somebody shares it: who is in the headphones is heard by no microphone. */
export interface OtherSide {
  stop(): void
}

export interface NewRecording {
  clientId: string
  clientLabel: string
  noteType: string
  /** Empty, and missing in rows of earlier versions: the usual one of the note type. */
  templateId: string
  options: SelectionOptions
  deviceId?: string
  /** Only the clinician is heard, who tells what happened: no consent to be recorded is needed. Missing in rows of earlier versions. */
  isDictated?: boolean
  /** Only with a file: what the clinician adds in their own words. */
  jotted?: string
}

export type RecorderState =
  | { state: 'idle' }
  /** `reason` is a sentence for the clinician: no microphone, not allowed, blocked by the page's policy … */
  | { state: 'unavailable'; reason: string }
  | {
      state: 'recording' | 'paused' | 'finishing'
      recordingId: string
      /** Not there while the service does not know of it. */
      sessionId?: string | null
      clientId: string
      clientLabel: string
      seconds: number
      /** Bytes recorded, and of them on the server. */
      recordedBytes: number
      uploadedBytes: number
      /** How long nothing was heard. */
      silentSeconds: number
      /** While the other side is shared: how long nothing was heard from the microphone, and from the other side. */
      ownSilentSeconds: number
      otherQuietSeconds: number
      /** The recorder gives nothing just now, whatever the microphone hears. */
      isDry: boolean
      isOffline: boolean
      /** The service has no room for it just now. */
      isFull: boolean
      /** So much was to be recorded, and was not: the device slept, or no sound came. */
      missedSeconds: number
      /** Why it paused by itself: a sentence for the clinician. */
      pauseReason: string | null
      otherSide: OtherSideState
      isDictated: boolean
      /** What endangers the recording just now, a sentence: the device's storage is full … */
      warning: string | null
      deviceId: string | null
    }

export interface SendingRecording {
  recordingId: string
  /** Null: the service was never reached since it began. */
  sessionId: string | null
  clientId: string
  clientLabel: string
  recordedBytes: number
  uploadedBytes: number
  isOffline: boolean
  /** Why it cannot be sent; the recording is kept. */
  problem: EngineError | null
  /** What endangers it until it is sent, a sentence. */
  warning: string | null
}

export interface UnfinishedRecording {
  recordingId: string
  clientId: string
  clientLabel: string
  startedAt: string
  seconds: number
  recordedBytes: number
  uploadedBytes: number
  isDictated: boolean
  /** Another tab is recording or uploading it just now. */
  isOpenElsewhere: boolean
}
