export {
  dropDraft,
  endLive,
  findLive,
  forgetHeard,
  forgetHeardFrom,
  isComing,
  isNearlyHeard,
  keepDraft,
  keepHeard,
  type FoundLive,
} from './live-draft.js'
