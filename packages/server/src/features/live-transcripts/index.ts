export {
  dropDraft,
  endLive,
  findLive,
  forgetFed,
  forgetHeard,
  forgetHeardFrom,
  isComing,
  isNearlyHeard,
  keepDraft,
  keepHeard,
  stopHearing,
  type FoundLive,
} from './live-draft.js'
