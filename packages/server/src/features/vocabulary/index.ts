export { addTerm, readVocabulary, removeTerm } from './vocabulary.js'
