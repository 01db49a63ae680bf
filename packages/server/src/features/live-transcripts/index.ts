export {
  dropDraft,
  endLive,
  findLive,
  forgetHeard,
  forgetHeardFrom,
  isBeingRecorded,
  isNearlyHeard,
  keepDraft,
  type FoundLive,
} from './live-draft.js'
