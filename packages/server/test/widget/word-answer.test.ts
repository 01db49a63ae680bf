import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importFrame, readTextsOf } from './page-stand-in.js'

readTextsOf(readFileSync(new URL('../../../widget/src/frame/texts/es.json', import.meta.url), 'utf8'))
const { wordAnswer, wordServer } = await importFrame<{
  wordAnswer: (key: string, value: unknown) => unknown
  wordServer: (text: string) => string
}>('engine/word-answer.ts')

describe('what the service says, on a screen in Spanish', () => {
  it('is in Spanish where it is a label or a reason of the service’s', () => {
    expect(wordAnswer('label', 'Suicidal thoughts: affirmed, in the past')).toBe(
      'Ideación suicida: afirmado, en el pasado',
    )
    expect(wordAnswer('label', 'Allergy to penicillin: rash (not clear)')).toBe(
      'Alergia a penicillin: rash (no está claro)',
    )
    expect(wordAnswer('failure', 'No speech was found in the recording')).toBe(
      'No se encontró voz en la grabación',
    )
    expect(wordServer('Progress note is locked')).toBe('La nota está bloqueada')
  })

  it('stays as it came where somebody said or wrote it, or nobody knows it', () => {
    for (const key of ['words', 'transcript', 'content', 'question', 'reason'])
      expect(wordAnswer(key, 'denied')).toBe('denied')
    expect(wordAnswer('failureReason', 'The note says “taken, denied” there.')).toBe(
      'The note says “taken, denied” there.',
    )
    expect(wordAnswer('label', 7)).toBe(7)
  })
})
