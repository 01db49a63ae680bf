export { keepGap } from './keep-gap.js'
export { listUncut, toStretch, withGaps } from './read-gaps.js'
export {
  copyGaps,
  countStruck,
  insertGap,
  markCut,
  rememberBegunBlob,
  selectIsHeld,
  selectSegmentBlobs,
  selectUncut,
  type UncutRow,
} from './session-gaps.sql.js'
