export { dropSpoken } from './drop-spoken.js'
export { isUnderHold } from './is-under-hold.js'
export { keepGap } from './keep-gap.js'
export { findStruckBlob, listUncut, toSilence, withGaps } from './read-gaps.js'
export {
  copyGaps,
  countStruck,
  countUncut,
  deleteSegmentsAfter,
  insertGap,
  markCut,
  markCutOfClient,
  noPlace,
  rememberBegunBlob,
  placeGap,
  selectGaps,
  selectLegalHold,
  selectSegmentBlobs,
  selectSessionsToCut,
  selectSpokenSegments,
  selectUncut,
  type UncutRow,
} from './session-gaps.sql.js'
