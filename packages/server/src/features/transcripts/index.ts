export { completeTranscript } from './complete-transcript.js'
export { registerTranscripts } from './transcripts.routes.js'
