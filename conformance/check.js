import { AssertionError } from 'node:assert'

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {readonly string[]} reads ids of contract-clauses.js and ruling-clauses.js
 * @property {(context: import('./context.js').Context) => Promise<void>} run
 */

/**
 * One sentence of the contract, tried. A failure's message begins with the clauses that it reads.
 * @param {string} name
 * @param {readonly string[]} reads
 * @param {Check['run']} run
 * @returns {Check}
 */
export function check(name, reads, run) {
  return {
    name,
    reads,
    run: async (context) => {
      try {
        await run(context)
      } catch (error) {
        if (!(error instanceof AssertionError)) throw error
        // A new error: data that checks share fails with one and the same for all of them.
        throw new AssertionError({ message: `by "${reads.join('", "')}": ${error.message}` })
      }
    },
  }
}
