import type { AssessmentScore } from '@casenote/contract'
import type { AssessmentId } from '../../../kernel/ids.js'
import { deriveId, loinc, makeResource, ownIdentifier, referTo, type Resource } from './resource.js'

/** What an instrument says of itself; null codes: none was found that could be confirmed (docs/clinical/instruments.md, 7). */
export interface CodedInstrument {
  name: string
  scoreLoinc: string | null
  questionLoinc: ReadonlyMap<string, string>
}

/** A code system of our own, for what LOINC has no code for. */
const ownSystem = (assessmentId: AssessmentId, what: string): string =>
  `urn:casenote:instrument:${assessmentId}:${what}`

/** What a client answered, and what it counts to. */
export const toScoreResources = (score: AssessmentScore, instrument: CodedInstrument | null): Resource[] => [
  toQuestionnaireResponse(score),
  toObservation(score, instrument),
]

const toQuestionnaireResponse = (score: AssessmentScore): Resource =>
  makeResource('QuestionnaireResponse', score.id, {
    identifier: ownIdentifier(score.id),
    questionnaire: `urn:casenote:instrument:${score.assessmentId}|${score.assessmentVersion}`,
    status: 'completed',
    subject: referTo(score.clientId),
    source: referTo(score.clientId),
    authored: score.completedAt,
    language: score.language,
    item: score.answers.map(({ questionKey, questionDisplay, answerValue, answerDisplay }) => ({
      linkId: questionKey,
      text: questionDisplay,
      answer: [
        {
          valueCoding: {
            extension: [
              {
                url: 'http://hl7.org/fhir/StructureDefinition/ordinalValue',
                valueDecimal: answerValue,
              },
            ],
            system: ownSystem(score.assessmentId, `${questionKey}:answers`),
            code: String(answerValue),
            display: answerDisplay,
          },
        },
      ],
    })),
  })

function toObservation(score: AssessmentScore, instrument: CodedInstrument | null): Resource {
  const { assessmentId } = score
  const name = instrument?.name ?? assessmentId
  const own = { system: ownSystem(assessmentId, 'score'), code: 'total' }
  const known = instrument?.scoreLoinc ?? null
  return makeResource('Observation', deriveId('score', score.id), {
    status: 'final',
    category: [
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/observation-category',
            code: 'survey',
            display: 'Survey',
          },
        ],
      },
    ],
    code: {
      coding: [known === null ? null : { system: loinc, code: known }, own],
      text: `${name}: total score`,
    },
    subject: referTo(score.clientId),
    effectiveDateTime: score.completedAt,
    issued: score.createdAt,
    performer: [referTo(score.clientId)],
    valueInteger: score.score,
    interpretation: score.severity === null ? [] : [{ text: score.severity }],
    derivedFrom: [referTo(score.id)],
    component: score.answers.flatMap(({ questionKey, answerValue, questionDisplay }) => {
      const code = instrument?.questionLoinc.get(questionKey)
      if (code === undefined) return []
      return [
        { code: { coding: [{ system: loinc, code }], text: questionDisplay }, valueInteger: answerValue },
      ]
    }),
  })
}
