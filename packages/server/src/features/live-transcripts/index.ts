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
  type FoundLive,
} from './live-draft.js'
