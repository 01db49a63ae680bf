import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readTextsOf } from '../../page-stand-in.js'

readTextsOf(readFileSync(new URL('../../../src/frame/texts/es.json', import.meta.url), 'utf8'))
const { wordAnswer, wordServer } = await import('../../../src/frame/engine/word-answer.js')

describe('what the service says, on a screen in Spanish', () => {
  it('is in Spanish where it is a label or a reason of the service’s', () => {
    expect(wordAnswer('label', 'Suicidal thoughts: affirmed, in the past')).toBe(
      'Ideación suicida: afirmado, en el pasado',
    )
    expect(wordAnswer('label', 'Suicidal thoughts: affirmed; Suicide plan: affirmed')).toBe(
      'Ideación suicida: afirmado; Plan suicida: afirmado',
    )
    expect(wordAnswer('label', 'Allergy to penicillin: rash (not clear)')).toBe(
      'Alergia a penicillin: rash (no está claro)',
    )
    expect(wordAnswer('failure', 'No speech was found in the recording')).toBe(
      'No se encontró voz en la grabación',
    )
    expect(wordServer('Progress note is locked')).toBe('La nota está bloqueada')
    expect(wordAnswer('severityName', 'Moderately severe')).toBe('Moderadamente grave')
  })

  it('is in Spanish with the numbers and words that were put into it, which stay as they are', () => {
    expect(wordServer('A progress note takes at most 100 addenda')).toBe(
      'Una nota admite como mucho 100 adendas',
    )
    expect(wordAnswer('failureReason', 'Nothing about “the {} walk” stands in the note.')).toBe(
      'Nada sobre «the {} walk» figura en la nota.',
    )
    expect(wordServer('This note has no section called “plans”. Its sections are Data, Plan.')).toBe(
      'Esta nota no tiene una sección llamada «plans». Sus secciones son Data, Plan.',
    )
    expect(
      wordServer(
        'With this something would leave the note that the instruction does not name: weapons, sertraline. Name it in the instruction, or change the text by hand.',
      ),
    ).toContain('no nombra: armas, sertraline. Nómbrelo')
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
