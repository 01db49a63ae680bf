import { pino, type Logger } from 'pino'

export type Log = Logger

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * What may be told of an error: its class, SQLSTATE or system code and the place in our code. Messages of faults stay
 * out: PostgreSQL's, a parser's or a partner's server's may quote names, notes or tokens. A class whose messages never do
 * says so with `told`.
 */
export function describeFault(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error }
  const { code, told } = error as { code?: unknown; told?: unknown }
  const frames = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 6)
    .map((line) => line.slice(7))
  return {
    kind: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof told === 'string' ? { told } : {}),
    frames,
    ...(error.cause === undefined ? {} : { cause: describeFault(error.cause) }),
  }
}

/** How lines are printed: for a program that collects them, or for whoever sits at the terminal. */
export const LOG_FORMATS = ['json', 'text'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** `destination` gets each line as JSON; without one they go to the standard output as they are. */
export function makeLog(level: LogLevel, role: string, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: { role },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: describeFault },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** For what may fail without harm. The reason is part of the call, so that swallowing is a named act. */
export async function tolerateFailure(log: Log, reason: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    log.warn({ err: error, tolerated: reason }, 'tolerated failure')
  }
}
