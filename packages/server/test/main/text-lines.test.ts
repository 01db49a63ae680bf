import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeLog } from '../../src/kernel/log.js'
import { makePaint } from '../../src/main/terminal/paint.js'
import { formatLogLine } from '../../src/main/terminal/text-lines.js'

/** What a log of this level writes for a person, without the moment. */
function write(act: (log: ReturnType<typeof makeLog>) => void, isColoured = false): string {
  const lines: string[] = []
  act(makeLog('info', 'start', { write: (line) => lines.push(formatLogLine(line, makePaint(isColoured))) }))
  return lines.map((line) => line.replace(/\d\d:\d\d:\d\d/, 'hh:mm:ss')).join('')
}

it('is the moment, the message and what it is about', () => {
  expect(write((log) => log.info('running'))).toBe('hh:mm:ss  running\n')
  expect(write((log) => log.info({ decoder: 'shipped', cage: { hasLimits: true } }, 'decoder'))).toBe(
    'hh:mm:ss  decoder  decoder=shipped cage={"hasLimits":true}\n',
  )
  expect(write((log) => log.debug('not asked for'))).toBe('')
})

it('names what is urgent in words, and colours it where colour is wanted', () => {
  expect(write((log) => log.warn('a user that others share'))).toBe(
    'hh:mm:ss  warning a user that others share\n',
  )
  expect(write((log) => log.error('closing took too long'), true)).toBe(
    '\u001B[2mhh:mm:ss\u001B[0m  \u001B[31merror \u001B[0mclosing took too long\n',
  )
})

it('tells of a fault its kind and place, and no message of it', () => {
  const line = write((log) => log.error({ err: new RangeError('Jane Doe') }, 'failed'))
  expect(line).toContain('failed  err={"kind":"RangeError"')
  expect(line).not.toContain('Jane')
})

it('is one line, and moves no cursor, whatever is logged', () => {
  // Controls of both ranges, and what is none.
  const text = fc.string({
    unit: fc.integer({ min: 0, max: 0x120 }).map((code) => String.fromCodePoint(code)),
  })
  fc.assert(
    fc.property(text, text, (message, value) => {
      const line = write((log) => log.info({ value }, message))
      // oxlint-disable-next-line no-control-regex -- controls are what it is about
      expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/)
    }),
  )
})
