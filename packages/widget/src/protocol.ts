/** What loader and frame say to each other: first by window messages, from `init` on over a port of their own. */

/** Ruling 9. What is not here is ignored with a warning: `read-page-input.ts` has the names once more. */
export interface WidgetSettings {
  containerId?: string
  copyNoteButtonText?: string
  patientReference?: string
  /** Ours beside ruling 9 (decision 0031): a BCP 47 tag; without it the browser's languages decide. */
  language?: string
  hideTreatmentPlan?: boolean
  position?: string
  buttonColor?: string
  openButtonIcon?: string
  closeButtonIcon?: string
  isDraggable?: boolean
  isAlwaysOpen?: boolean
  width?: string | number
  height?: string | number
  cspNonce?: string
  fontHref?: string
  isMinifiedView?: boolean
  isMiniWidgetV2?: boolean
  minifiedViewSettings?: Record<string, unknown>
}

export interface NoteOptions {
  noteGroup?: string
  sessionType?: string
  noteType?: string
  availableNoteTypes?: string[]
  treatmentApproaches?: string[]
}

export interface SelectionOptions {
  sessionExternalId?: string
  sessionSetting?: string
  /** What is spoken: one of the languages that the service offers. */
  language?: string
  usingHeadphones?: boolean
  noteOptions?: NoteOptions
  /** What the page knows beside the session, as the Partner API takes it: background of the first note (decision 0040). */
  context?: object
}

export interface HandedTokens {
  AccessToken: string
  RefreshToken: string
  ExpiresIn: number
}

export const WIDGET_EVENTS = [
  'ready',
  'recordingStarted',
  'recordingStopped',
  'progressNoteReady',
  'noteFinalized',
  'noteWithdrawn',
  'authenticationRequired',
  'error',
] as const
export type WidgetEvent = (typeof WIDGET_EVENTS)[number]

export interface CopiedNote {
  note: string
  progressNoteId: string
  sessionId: string
}

/** Whose a note is: the second argument of whatever hands one over or tells of one. */
export interface NoteContext {
  clientId: string
  sessionId: string
  /** As the page gave it; null where it gave none. */
  sessionExternalId: string | null
  progressNoteId: string
}

/** Texts, but for what lists more than one thing. */
export type EventDetail = Record<string, unknown>

/** Window messages before there is a port; they carry nothing worth knowing. */
export const helloMessage = 'casenote:hello'
export const initMessage = 'casenote:init'

export type ToFrame =
  /** A loader that a page took before copies were answered says nothing of `answersCopies`. */
  | { type: 'settings'; settings: WidgetSettings; canCopy: boolean; answersCopies?: true }
  /** As the page gave them: the frame looks what they are. */
  | { type: 'authenticate'; tokens: unknown; clinicianId: string | null }
  /** Instead of the tokens, when a frame that had them was loaded again: `handle` as the frame gave it. */
  | { type: 'resume'; handle: string }
  | { type: 'selectClient'; clientId: string | null; options: SelectionOptions }
  /** The page listens; the frame knows which events there are. */
  | { type: 'on'; event: string }
  | { type: 'logout' }
  /** Whether the page took the note that was sent under this number. */
  | { type: 'copyAnswer'; copyId: number; isTaken: boolean }
  | { type: 'visibility'; isOpen: boolean }

export type ToPage =
  /** From here on the loader forgets the tokens. */
  | { type: 'authenticated'; handle: string }
  | { type: 'event'; event: WidgetEvent; detail: EventDetail; of: NoteContext | null }
  /** Meant for this client's chart; not taken where the page has opened another one meanwhile. */
  | { type: 'copyNote'; copyId: number; copied: CopiedNote; of: NoteContext; chartClientId: string | null }
  | { type: 'height'; heightPx: number }
  | { type: 'close' }
  /** Something happened that the clinician must see. */
  | { type: 'open' }
