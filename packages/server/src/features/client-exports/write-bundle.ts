import type { AssessmentId } from '../../kernel/ids.js'
import type { Catalogue } from '../assessments/index.js'
import { listScores } from '../assessments/index.js'
import { toConsents, type ToldConsents } from './fhir/consent-resources.js'
import { toClinicOrganization, toOrganization, toPatient, toPractitioner } from './fhir/people.js'
import { deriveId, entryOf, type Resource } from './fhir/resource.js'
import { toPlanResources } from './fhir/plan-resources.js'
import { toScoreResources, type CodedInstrument } from './fhir/score-resources.js'
import { toSessionResources } from './fhir/session-resources.js'
import { goThroughPlans } from '../treatment-plans/index.js'
import type { ExportContext } from './export-context.js'
import { goThroughSessions, readExportedSession } from './list-session-files.js'
import { throughPages, writeJson } from './write-json.js'

const scoresOfPage = 50

/**
 * A FHIR R4 collection of all that FHIR has a place for. One session or page of scores is in memory at a time; whom they name comes
 * behind them.
 */
export async function* writeBundle(context: ExportContext, told: ToldConsents): AsyncGenerator<Buffer> {
  async function* entries() {
    for await (const resource of goThroughResources(context, told)) yield entryOf(resource)
  }
  const id = deriveId('bundle', context.client.id)
  yield* writeJson({ resourceType: 'Bundle', id, type: 'collection', entry: entries() })
}

async function* goThroughResources(context: ExportContext, told: ToldConsents): AsyncGenerator<Resource> {
  const { client, names } = context
  yield toPatient(client)
  yield* toConsents(client.id, told)
  yield* goThroughSessionResources(context)
  yield* goThroughScoreResources(context)
  for await (const plan of goThroughPlans(context.parts.db, context.ring, client.id))
    yield* toPlanResources(plan)
  const clinics = names.clinics()
  const organizations = new Map(clinics.map(({ organization }) => [organization.id, organization]))
  for (const organization of organizations.values()) yield toOrganization(organization)
  for (const clinic of clinics) yield toClinicOrganization(clinic)
  for (const clinician of names.clinicians()) yield toPractitioner(clinician)
}

async function* goThroughSessionResources(context: ExportContext): AsyncGenerator<Resource> {
  const devices = new Set<string>()
  for await (const row of goThroughSessions(context)) {
    const exported = await readExportedSession(context, row)
    if (exported !== null) yield* toSessionResources(exported, devices)
  }
}

async function* goThroughScoreResources({ parts, tenant, client }: ExportContext): AsyncGenerator<Resource> {
  const catalogue = await parts.instruments.get()
  const readPage = async (page: { number: number; size: number }) =>
    (await listScores(parts, tenant, { clientId: client.id, page })).data
  for await (const score of throughPages(readPage, scoresOfPage)) {
    yield* toScoreResources(score, findCoded(catalogue, score.assessmentId, score.assessmentVersion))
  }
}

function findCoded(
  catalogue: Catalogue,
  assessmentId: AssessmentId,
  version: string,
): CodedInstrument | null {
  const instrument = catalogue.find(assessmentId, { version })
  if (instrument === null) return null
  const coded = instrument.questions.flatMap(({ key, loinc }) =>
    loinc === null ? [] : [[key, loinc] as const],
  )
  return { name: instrument.name, scoreLoinc: instrument.loinc.score, questionLoinc: new Map(coded) }
}
