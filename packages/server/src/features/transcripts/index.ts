export { completeTranscript } from './complete-transcript.js'
export { makeCheckpoints } from './make-checkpoints.js'
export { findTranscriptItems, getTranscriptItems } from './read-transcript.js'
export { registerTranscripts } from './transcripts.routes.js'
