import { escapeControls, type Paint } from './paint.js'

type Colour = Parameters<Paint>[0]

/** The levels of pino, from the least to the most urgent. Information is the rule and has no mark. */
const marks: readonly { from: number; text: string; colour: Colour }[] = [
  { from: 50, text: 'error ', colour: 'red' },
  { from: 40, text: 'warning ', colour: 'yellow' },
]

/** Time, message and where it is from stand in the line's head; the rest follows it. */
const inHead = new Set(['level', 'time', 'role', 'msg'])

/** Of \p{Cc} `escapeControls` leaves those that lines are made of. */
const onOneLine = (text: string): string => escapeControls(text).replaceAll('\n', '\\n').replaceAll('\t', ' ')

/** One line of the log, which is an object of JSON, for somebody who reads along: the moment, what happened, what of. */
export function formatLogLine(line: string, paint: Paint): string {
  const { level, time, msg, ...rest } = JSON.parse(line) as Record<string, unknown>
  const clock = new Date(String(time)).toTimeString().slice(0, 8)
  const mark = marks.find(({ from }) => Number(level) >= from)
  const facts = Object.entries(rest)
    .filter(([name]) => !inHead.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return (
    paint('dim', clock) +
    '  ' +
    (mark === undefined ? '' : paint(mark.colour, mark.text)) +
    onOneLine(typeof msg === 'string' ? msg : '') +
    (facts.length === 0 ? '' : paint('dim', `  ${onOneLine(facts.join(' '))}`)) +
    '\n'
  )
}
