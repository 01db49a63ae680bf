// What is not on the first screen, as one file that is loaded behind it. A file for each of these would be more calls, and whatever two
// of them share would be cut into further files, which the first screen would have to ask for. So whoever needs one imports this. The parts that
// are loaded after it (a plan, a brief, consents, …) export it, too: their own file then shares with this one alone, and not
// with the first screen.
export { ClientAssessments } from './assessments/client-assessments.js'
export { BeforeSession } from './brief/before-session.js'
export { ClientConsents } from './consent/lazy-consents.js'
export { ClosedDangerList } from './danger/closed-danger.js'
export { DangerStrip } from './danger/danger-strip.js'
export { keepFocus } from './keep-focus.js'
export { LiveLines } from './live/live-lines.js'
export { OffRecord } from './off-record/off-record.js'
export { OtherSideOffer } from './other-side/other-side.js'
// For who was really there, whom a part asks for: what the first screen shares with a part alone would be one more file of the first screen.
export { ClientSearch } from './screens/client-search.js'
export { CodeForm } from './screens/code-form.js'
export { FormPad } from './screens/form-pad.js'
export { SendingRecordings } from './screens/sending-recordings.js'
export { UnfinishedRecordings } from './screens/unfinished-recordings.js'
export { SessionScreen } from './session/session-screen.js'
export { WaitingForMe } from './screens/waiting-for-me.js'
export { TypingScreen } from './typing/typing-screen.js'
export { ReadyNotices } from './work/ready-notice.js'
export { WorkList } from './work/work-list.js'
