import type { Server } from 'node:http'

/** What is in hand when a process is told to stop takes a second or two; it must have ended within 15. */
const finishWithinMs = 5_000

/**
 * Ends the connections of a server that takes no more. A connection that was busy when the closing began would idle on for a minute; one that a
 * browser opened ahead and never used counts as busy for as long (Node closes it as a slow request).
 */
export function endConnections(server: Server): void {
  const endIdle = setInterval(() => server.closeIdleConnections(), 50)
  const endAll = setTimeout(() => server.closeAllConnections(), finishWithinMs)
  server.once('close', () => {
    clearInterval(endIdle)
    clearTimeout(endAll)
  })
}
