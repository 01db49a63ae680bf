export { addInstrument, checkInstrumentFile, removeInstrument } from './add-instrument.js'
export { builtInDefaults } from './built-in-instruments.js'
export { Catalogue } from './catalogue.js'
export type { GivenAnswer, Instrument, Question } from './instrument.js'
export {
  makeBuiltInCatalogue,
  makeInstruments,
  readInstruments,
  type Instruments,
} from './make-instruments.js'
export { InstrumentProblem, readInstrumentFile } from './read-instrument-file.js'
