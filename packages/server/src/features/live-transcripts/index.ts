export {
  dropDraft,
  endLive,
  findLive,
  forgetHeard,
  isBeingRecorded,
  isNearlyHeard,
  keepDraft,
  type FoundLive,
} from './live-draft.js'
