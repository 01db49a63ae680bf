import { expect, it } from 'vitest'

interface Attack {
  pumps: readonly { prefix: string; pump: string }[]
  suffix: string
}
type IsReadInTime = (expression: { source: string; flags: string }, attack: Attack) => Promise<boolean>

/** A script, which has no types. */
const script = new URL('../../../../../bin/expressions/replay-attack.js', import.meta.url)

it.each([
  // Some 300 ms for a hundred thousand characters, and sixteen times that for four times as many.
  [/\b(doctor|dr\.?) [a-z]+\b(?!.*\?)/, 'dr a ', '?', false],
  [/\b(doctor|dr\.?) [a-z]+\b(?!.{0,200}\?)/, 'dr a ', '?', true],
  [/a.*b/, 'a', '', false],
  [/a.{0,60}b/, 'a', '', true],
])(
  'of %s, attacked with %j, is told whether its time grows with the text alone',
  async (expression, pump, suffix, isLinear) => {
    const { isReadInTime } = (await import(script.href)) as { isReadInTime: IsReadInTime }
    const { source, flags } = expression
    expect(await isReadInTime({ source, flags }, { pumps: [{ prefix: '', pump }], suffix })).toBe(isLinear)
  },
  120_000,
)
