export {
  changeTemplate,
  completeSession,
  receiveRecording,
  receiveSegments,
  recordAudioLength,
  recordProgress,
  showProgress,
  startTranscribing,
} from './advance-session.js'
export { applySessionAction } from './apply-session-action.js'
export { changeSessionContext } from './change-session-context.js'
export {
  createDictatedSession,
  createRecordedSession,
  createSession,
  createTypedSession,
} from './create-session.js'
export { describeSession, readFileUrl } from './describe-session.js'
export { discardSession } from './discard-session.js'
export { dropLeftDownloads } from './drop-left-downloads.js'
export { findContext, keepContext, readContext } from './keep-context.js'
export { findText } from './keep-text.js'
export { failSession } from './fail-session.js'
export { forgetEndedOfClient } from './forget-ended.js'
export {
  findSession,
  findStanding,
  getLockedSession,
  getSession,
  isPrescriberSession,
  listSessionRows,
  type SessionStanding,
} from './read-sessions.js'
export { findArrived, findDownload, recordDownload } from './record-download.js'
export { findTreating, openSession } from './open-session.js'
export { requireFreeIfUnique } from './require-free-session-id.js'
export {
  canBeTriedAgain,
  describeFailure,
  isOfLanguage,
  wordFailure,
  type SessionFailure,
} from './session-lifecycle.js'
export { registerSessionContexts } from './session-contexts.routes.js'
export { registerSessions, type SessionsParts } from './sessions.routes.js'
export { NoRetry, retrySession, type RetryParts } from './retry-session.js'
export { tryAgain, writeAnyway } from './try-again.js'
export {
  endExports,
  findSessionAnywhere,
  listFailedSince,
  listWithdrawn,
  lockEndedSession,
  lockSession,
  selectAudioLength,
  selectEarlierTries,
  selectRetryOf,
  tryLockEndedSession,
  updateAudio,
  type EndedSessionRow,
  type SessionClinicianRow,
  type SessionRow,
} from './sessions.sql.js'
export { correctClient, isWithdrawn } from './correct-client.js'
export { countNewestSessions, findSessionCourse, listNewestSessions } from './list-newest.js'
export { countSessionsOfClient } from './sessions.sql.js'
export { countSessionsByDay, isKept, selectSessionsKnownFrom } from './session-lists.sql.js'
