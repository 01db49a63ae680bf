import type { Config } from '../kernel/config.js'
import { makeLog, type Log, type LogLevel } from '../kernel/log.js'
import { isColourWanted, makePaint } from './terminal/paint.js'
import { formatLogLine } from './terminal/text-lines.js'

/** The log of this process: words on a terminal, JSON where a program collects it, unless the operator says which. */
export function openLog(
  { logFormat, logLevel }: Pick<Config, 'logFormat' | 'logLevel'>,
  role: string,
  level: LogLevel = logLevel,
): Log {
  const { stdout } = process
  if ((logFormat ?? (stdout.isTTY ? 'text' : 'json')) === 'json') return makeLog(level, role)
  const paint = makePaint(isColourWanted(stdout.isTTY, process.env))
  return makeLog(level, role, { write: (line) => stdout.write(formatLogLine(line, paint)) })
}
