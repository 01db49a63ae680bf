export { completeTranscript } from './complete-transcript.js'
export { makeCheckpoints } from './make-checkpoints.js'
export { correctSpeakers } from './correct-speakers.js'
export {
  describeTranscript,
  findTranscript,
  findTranscriptItems,
  getTranscriptItems,
} from './read-transcript.js'
export { registerTranscripts } from './transcripts.routes.js'
