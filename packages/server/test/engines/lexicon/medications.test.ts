import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findMedications,
  listConfusable,
  listConfusableStrengths,
  MEDICATIONS,
  type Medication,
} from '../../../src/engines/lexicon/medications.js'

const find = (text: string) => findMedications(text).map(({ medication, name }) => [name, medication.generic])

const get = (generic: string): Medication => {
  const found = MEDICATIONS.find((one) => one.generic === generic)
  if (found === undefined) throw new Error(`${generic} is not in the list`)
  return found
}

const everyName = MEDICATIONS.flatMap((medication) =>
  [medication.generic, ...medication.brands].map((name) => ({ name, medication })),
)

describe('the medication lexicon', () => {
  it('has each generic once, and no name for two medications', () => {
    const generics = MEDICATIONS.map(({ generic }) => generic)
    expect(new Set(generics).size).toBe(generics.length)
    const names = everyName.map(({ name }) => name.toLowerCase())
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([])
    expect(generics.length).toBeGreaterThan(150)
  })

  it('reads strengths and the unit', () => {
    expect(get('sertraline')).toEqual({
      generic: 'sertraline',
      brands: ['Zoloft'],
      medicationClass: 'ssri',
      usualStrengths: ['25', '50', '100'],
      unit: 'mg',
    })
    expect(get('buprenorphine-naloxone').usualStrengths).toContain('8-2')
    expect(get('levothyroxine')).toMatchObject({ unit: 'mcg' })
    for (const { usualStrengths } of MEDICATIONS) {
      for (const strength of usualStrengths) expect(strength).toMatch(/^(\d+|\d+\.\d+)(-(\d+|\d+\.\d+))?$/)
    }
  })

  it('finds generics and brands in any case, with their places', () => {
    const text = 'Stopped ZOLOFT, now on bupropion and Effexor XR.'
    expect(find(text)).toEqual([
      ['ZOLOFT', 'sertraline'],
      ['bupropion', 'bupropion'],
      ['Effexor XR', 'venlafaxine'],
    ])
    for (const { name, start, end } of findMedications(text)) expect(text.slice(start, end)).toBe(name)
  })

  it('takes the longest name, and nothing inside it', () => {
    expect(find('She gets Abilify Maintena monthly')).toEqual([
      ['Abilify Maintena', 'aripiprazole extended-release injectable'],
    ])
    expect(find('Abilify, Maintena')).toEqual([['Abilify', 'aripiprazole']])
    expect(find('buprenorphine/naloxone films')).toEqual([
      ['buprenorphine/naloxone', 'buprenorphine-naloxone'],
    ])
    expect(find('haloperidol decanoate')).toEqual([['haloperidol decanoate', 'haloperidol decanoate']])
  })

  it('finds no name inside another word', () => {
    expect(find('the concertare, prozacky and insulinoma of lithiumlike zoloft2')).toEqual([])
    expect(find("Zoloft's fine; (Xanax) too")).toEqual([
      ['Zoloft', 'sertraline'],
      ['Xanax', 'alprazolam'],
    ])
  })

  it('names what a recognizer may have heard instead', () => {
    expect(listConfusable('Bupropion')).toEqual(['buspirone'])
    expect(listConfusable('fluoxetine')).toEqual(['duloxetine', 'paroxetine'])
    expect(listConfusable('Celexa')).toEqual(['celebrex'])
    expect(listConfusable('sertraline')).toEqual([])
    expect(find('celebrex')).toEqual([['celebrex', 'celecoxib']])
    expect(listConfusableStrengths(get('buspirone'), 15)).toEqual([])
    expect(listConfusableStrengths(get('loxapine'), 50)).toEqual([])
    expect(listConfusableStrengths(get('trazodone'), 15)).toEqual([50])
  })

  it('finds every name that it knows, at its place, whatever stands around it', () => {
    const around = fc.constantFrom('', ' ', 'taking ', 'of the ', '("', '— ', '12.5 ', 'no, ')
    fc.assert(
      fc.property(
        fc.constantFrom(...everyName),
        around,
        around,
        fc.boolean(),
        (known, before, after, loud) => {
          const name = loud ? known.name.toUpperCase() : known.name.toLowerCase()
          const text = `${before}${name}${after === '' ? '' : `, ${after}`}`
          const [mention, ...others] = findMedications(text)
          expect(others).toEqual([])
          expect(mention).toMatchObject({ medication: known.medication, name, start: before.length })
        },
      ),
      { numRuns: 600 },
    )
  })

  it('never fails, and never overlaps, on any text', () => {
    const piece = fc.oneof(fc.constantFrom(...everyName.map(({ name }) => name)), fc.string({ maxLength: 8 }))
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join(' ')
        let last = 0
        for (const { name, start, end } of findMedications(text)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(text.slice(start, end)).toBe(name)
          last = end
        }
      }),
    )
  })
})
