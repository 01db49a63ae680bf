import fc from 'fast-check'

/** Few words, so that texts have much in common. */
export const someText = fc
  .array(fc.constantFrom('client ', 'slept', ' well.', '\n', 'and ', 'not '), { maxLength: 30 })
  .map((words) => words.join(''))
