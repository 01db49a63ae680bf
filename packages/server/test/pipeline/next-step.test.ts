import { describe, expect, it } from 'vitest'
import { afterNote, afterWriting, NEXT_STEP } from '../../src/jobs/next-step.js'
import { PIPELINE } from '../../src/pipeline/pipeline.js'

describe('what follows in the pipeline', () => {
  it('is every step after something', () => {
    const named = new Set(Object.values(NEXT_STEP).filter((step) => step !== null))
    expect([...named].toSorted()).toEqual(Object.keys(PIPELINE).toSorted())
  })

  it('derives MDM elements after a note of a prescriber type only', () => {
    expect(NEXT_STEP[afterNote('psychiatric_evaluation')]).toBe('derive_mdm')
    expect(NEXT_STEP[afterNote('dap')]).toBe('summarize')
  })

  const same = { noteType: 'dap', typeBefore: 'dap' } as const
  const other = { noteType: 'psychiatric_evaluation', typeBefore: 'dap' } as const
  it.each([
    ['generation', { isWritten: true, ...same }, 'summarize'],
    ['generation', { isWritten: false, ...same }, 'summarize'],
    ['regeneration', { isWritten: true, ...same }, 'summarize'],
    ['regeneration', { isWritten: false, ...same }, null],
    ['magic_edit', { isWritten: true, ...same }, null],
    ['magic_edit', { isWritten: true, ...other }, 'derive_mdm'],
    ['magic_edit', { isWritten: false, ...same }, null],
  ] as const)('%s with %o is followed by %s', (kind, ended, next) => {
    expect(NEXT_STEP[afterWriting(kind, ended)]).toBe(next)
  })
})
