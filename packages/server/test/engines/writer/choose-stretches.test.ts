import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseStretches, type Unit } from '../../../src/engines/writer/extract/choose-stretches.js'

const unit = (given: Partial<Unit>): Unit => ({
  cost: 10,
  values: [0.5],
  start: 0,
  end: 0,
  skip: Infinity,
  isSilent: false,
  ...given,
})

/** "1 1 . -": in slot 1, passed over, not quoted. */
const draw = (chosen: ReturnType<typeof chooseStretches>): string =>
  chosen
    .map((one) =>
      one === null
        ? '-'
        : one.step === 'passed over'
          ? '.'
          : `${one.slot}${one.step === 'starts' ? '!' : ''}`,
    )
    .join(' ')

describe('the stretches of a talk', () => {
  it('begin where a quote can begin, though it costs words', () => {
    const units = [unit({ values: [0.01] }), unit({ values: [0.6], start: 1 })]
    expect(draw(chooseStretches(units, [1], 20))).toBe('0! 0')
    expect(draw(chooseStretches(units, [1], 10))).toBe('- -')
  })

  it('end where a quote can end', () => {
    expect(draw(chooseStretches([unit({ end: 1 })], [1], 100))).toBe('-')
    expect(draw(chooseStretches([unit({ end: 1 }), unit({ values: [0.01] })], [1], 100))).toBe('0! 0')
  })

  it('pass over what says nothing, and nothing else', () => {
    const [worthy, chatter, plain] = [
      unit({ start: 0.2 }),
      unit({ values: [-0.2], skip: 0.05 }),
      unit({ values: [-0.4] }),
    ]
    expect(draw(chooseStretches([worthy, chatter, worthy], [1], 100))).toBe('0! . 0')
    expect(draw(chooseStretches([worthy, plain, worthy], [1], 100))).toBe('0! - 0!')
  })

  it('stand where they belong, a sentence with the one that it needs', () => {
    const [first, second] = [unit({ values: [0.5, 0] }), unit({ values: [0.2, 0.4], start: 0.5 })]
    expect(draw(chooseStretches([first, second], [1, 1], 100))).toBe('0! 0')
    expect(draw(chooseStretches([first, { ...second, start: 0 }], [1, 1], 100))).toBe('0! 1!')
  })

  it('are those worth most for their words, and free ones beside them', () => {
    const units = [unit({ values: [0.2, 0] }), unit({ values: [0.9, 0] }), unit({ values: [0, 0.1] })]
    expect(draw(chooseStretches(units, [1, 0], 10))).toBe('- 0! 1!')
  })

  it('buy nothing without words, of a slot with cheap words neither', () => {
    const units = [unit({ cost: 1, values: [0, 0.9] })]
    expect(draw(chooseStretches(units, [1, 0.3], 0))).toBe('-')
  })

  const anyUnit = fc.record({
    cost: fc.integer({ min: 1, max: 40 }),
    values: fc.tuple(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
    ),
    start: fc.double({ min: 0, max: 1, noNaN: true }),
    end: fc.double({ min: 0, max: 1, noNaN: true }),
    skip: fc.constantFrom(0.05, Infinity),
    isSilent: fc.boolean(),
  })

  it('keep to the words, quote nothing silent, and pass over nothing that says something', () => {
    fc.assert(
      fc.property(fc.array(anyUnit, { maxLength: 60 }), fc.integer({ min: 0, max: 500 }), (units, words) => {
        const chosen = chooseStretches(units, [1, 0.3], words)
        expect(chosen).toHaveLength(units.length)
        let spent = 0
        for (const [at, one] of chosen.entries()) {
          if (one === null) continue
          const { cost, isSilent, skip } = units[at]!
          if (one.step === 'passed over') expect(skip).toBeLessThan(Infinity)
          else {
            expect(isSilent).toBe(false)
            spent += cost
          }
          if (one.step !== 'starts') expect(chosen[at - 1]?.slot).toBe(one.slot)
        }
        expect(spent).toBeLessThanOrEqual(words)
      }),
    )
  })
})
