export { completeTranscript } from './complete-transcript.js'
export { findHomework } from './find-homework.js'
export { findTalk } from './find-talk.js'
export { findReading, listFindings, saveReading, type FoundReading } from './keep-reading.js'
export { dropLines, findLockedItems } from './drop-lines.js'
export { forgetEarlierTries, forgetTranscript } from './forget-transcript.js'
export { findUnreadWords } from './find-unread-words.js'
export { makeCheckpoints } from './make-checkpoints.js'
export { readHeardChunks } from './read-heard-chunks.js'
export { correctSpeakers } from './correct-speakers.js'
export { correctWords } from './correct-words.js'
export { listCorrectedItems } from './list-corrected-items.js'
export { readCorrected, type CorrectedLines } from './read-corrected.js'
export { nameSpeakers } from './name-speakers.js'
export {
  describeTranscript,
  findNamedItems,
  findTranscript,
  findLockedLines,
  getNamedItems,
  getTranscriptItems,
  readTranscriptOf,
  refuseSpeakers,
} from './read-transcript.js'
export { isHeard, takeOverTranscript } from './take-over-transcript.js'
export { registerTranscripts } from './transcripts.routes.js'
export { selectTranscriptMaker } from './transcripts.sql.js'
