import { NOTE_TYPES, type WidgetClinician } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { chooseNoteType, listNoteTypes } from '../../../../src/frame/ui/templates/choose-note-types.js'

describe('the note types that are offered', () => {
  const clinician: WidgetClinician = {
    id: '',
    firstName: '',
    lastName: '',
    prescriber: false,
    hasModel: false,
    languages: ['en'],
    idleMinutes: 15,
    supervisor: null,
    defaultNoteType: 'dap',
  }

  it('are those of a prescriber for prescribers only', () => {
    expect(listNoteTypes(clinician)).not.toContain('medication_management')
    expect(listNoteTypes({ ...clinician, prescriber: true })).toEqual([...NOTE_TYPES])
  })

  it('are the page’s, and its wish comes before the clinician’s habit', () => {
    const options = { availableNoteTypes: ['soap', 'dap', 'medication_management'], noteType: 'soap' }
    expect(listNoteTypes(clinician, options)).toEqual(['soap', 'dap'])
    expect(chooseNoteType(clinician, options)).toBe('soap')
    expect(chooseNoteType(clinician, { availableNoteTypes: ['birp', 'dap'] })).toBe('dap')
    expect(chooseNoteType(clinician, { noteType: 'medication_management' })).toBe('dap')
  })
})
