/** A line tells when it begins, not when it ends: the last one that began before a stretch may go on in it, and is hidden with it. */
export const makeKeeper = (
  lines: readonly { startTime: number }[],
  struck: readonly { start: number; end: number }[],
): ((line: { startTime: number }) => boolean) => {
  // Where nothing was recorded, nothing of a line is struck.
  const stretches = struck.filter(({ start, end }) => end > start)
  const hidden = stretches.map(({ start, end }) => {
    const before = lines.filter(({ startTime }) => startTime < start).map(({ startTime }) => startTime)
    return { from: Math.max(...before, -1), start, end }
  })
  return ({ startTime }) =>
    !hidden.some(({ from, start, end }) => startTime === from || (startTime >= start && startTime < end))
}
