/** Runs one after the other. `onLoggedOut` in the place of work that was asked for before a logout. */
export type InTurn = (work: () => unknown, onLoggedOut?: () => unknown) => Promise<unknown>

/**
 * In the order of the page's calls; a sign-in that waits for the network does not delay what comes after, nor does one that fails:
 * who asked for it hears of that.
 */
export function makeTurns(getEra: () => number): InTurn {
  let turn: Promise<unknown> = Promise.resolve()
  return (work, onLoggedOut = () => {}) => {
    const before = getEra()
    const done = turn.then(() => (before === getEra() ? work() : onLoggedOut()))
    turn = done.catch(() => {})
    return done
  }
}
