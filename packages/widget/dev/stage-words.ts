import type {
  CorrectedItem,
  Vocabulary,
  VocabularyAddition,
  WidgetTemplates,
  WordCorrection,
  WritingPreferences,
} from '@casenote/contract'
import { EngineError } from '../src/frame/engine/engine.js'
import type { Answer, StageService } from './stage-memory.js'

/** Corrections of the transcript, and the vocabulary, in memory. */
export function listWordAnswers({ transcript }: Omit<StageService, 'requests'>): Record<string, Answer> {
  const corrected: CorrectedItem[] = []
  let preferences: WritingPreferences = { length: 'usual', leftOut: [], avoidedPhrases: [] }
  let vocabulary: Vocabulary = { terms: [], termsMax: 300 }
  return {
    'GET /session/transcript/corrections': () => ({ items: corrected }),
    'POST /session/transcript/corrections': (body) => {
      const { item, before, after } = body as WordCorrection
      const old = transcript.value.transcriptItems[item]
      if (old?.transcript !== before) throw new EngineError('The words have changed', 409)
      corrected.push({ item, original: before, name: 'Ada Example', at: '2026-11-15T11:00:00.000Z' })
      const transcriptItems = transcript.value.transcriptItems.with(item, { ...old, transcript: after })
      transcript.value = { ...transcript.value, transcriptItems }
      return transcript.value
    },
    'GET /templates': () => ({ templates: stageTemplates, preferences }),
    'POST /writing-preferences': (body) =>
      (preferences = { ...preferences, ...(body as WritingPreferences) }),
    'GET /vocabulary': () => vocabulary,
    'POST /vocabulary': (body) => {
      const { scope, term, heard = null } = body as VocabularyAddition
      const id = String(vocabulary.terms.length + 1)
      const added = { id, scope, term, heard: heard === null ? [] : [heard] }
      vocabulary = { ...vocabulary, terms: [...vocabulary.terms, added] }
      return vocabulary
    },
    'POST /vocabulary/remove': (body) => {
      const { termId } = body as { termId: string }
      vocabulary = { ...vocabulary, terms: vocabulary.terms.filter(({ id }) => id !== termId) }
      return vocabulary
    },
  }
}

const stageTemplate = (id: string, title: string): WidgetTemplates['templates'][number] => ({
  id,
  version: 1,
  noteType: 'soap',
  title,
  scope: id === 'soap' ? 'built_in' : 'clinic',
  clinicId: null,
  clinicianId: null,
  isDefault: false,
  createdAt: null,
  sections: [
    { key: 'subjective', title: 'Subjective', isAlwaysWritten: true },
    { key: 'objective', title: 'Objective', isAlwaysWritten: false },
    { key: 'assessment', title: 'Assessment', isAlwaysWritten: true },
    { key: 'plan', title: 'Plan', isAlwaysWritten: false },
  ],
})

const stageTemplates = [stageTemplate('soap', 'SOAP Note'), stageTemplate('riverside', 'Riverside Check-in')]
