export {
  dropDraft,
  findLive,
  forgetHeard,
  isBeingRecorded,
  isNearlyHeard,
  keepDraft,
  type FoundLive,
} from './live-draft.js'
