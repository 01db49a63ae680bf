export { keepGap } from './keep-gap.js'
export { listUncut, toSilence, withGaps } from './read-gaps.js'
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
  selectIsHeld,
  selectSegmentBlobs,
  selectSpokenSegments,
  selectUncut,
  type UncutRow,
} from './session-gaps.sql.js'
