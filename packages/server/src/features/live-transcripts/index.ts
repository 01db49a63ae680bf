export {
  dropDraft,
  endLive,
  findLive,
  forgetHeard,
  isComing,
  isNearlyHeard,
  keepDraft,
  keepHeard,
  type FoundLive,
} from './live-draft.js'
