import type { ClinicianId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { listAssignments, listScores } from '../assessments/index.js'
import { selectStatusHistory, listSecondaryClinicians, toClient, type ClientRow } from '../clients/index.js'
import { goThroughDanger } from '../danger/index.js'
import { findUnit } from '../organizations/index.js'
import { goThroughPlans, goThroughPlanVersions } from '../treatment-plans/index.js'
import { readPerson, readSignedTexts, selectConsentHistory } from '../consents/index.js'
import { inOnePiece, textFile, type ExportContext } from './export-context.js'
import type { ExportFile, ExportParts } from './export-parts.js'
import type { RecordedConsent, ToldConsents } from './fhir/consent-resources.js'
import { goThroughAudit } from './go-through-audit.js'
import { makeKnownNames } from './known-names.js'
import { listSessionFiles } from './list-session-files.js'
import { writeBundle } from './write-bundle.js'
import { throughPages, writeJson } from './write-json.js'
import { readmeText } from './readme-text.js'

/** Some tens of kilobytes each. */
const pageSize = 50

/**
 * Every file of a person's export, one after the other: whoever takes them holds one at a time, and reads each to its end before the
 * next. The export is of the time that it took, not of one moment. The bundle comes behind what it points to.
 */
export async function* listExportFiles(
  parts: ExportParts,
  tenant: TenantScope,
  row: ClientRow,
  onSession: (done: number) => void = () => {},
): AsyncGenerator<ExportFile> {
  const context: ExportContext = {
    parts,
    tenant,
    ring: await parts.keys.get(tenant),
    client: toClient(row),
    names: makeKnownNames(parts, tenant),
    facts: new Map(),
    onSession,
  }
  yield* listSessionFiles(context)
  const { db } = parts
  const { id: clientId } = context.client
  yield textFile('assessments.json', () =>
    writeJson({
      assignments: throughPages(
        async (page) => (await listAssignments(db, tenant, { clientId, page })).data,
        pageSize,
      ),
      scores: throughPages(
        async (page) => (await listScores(parts, tenant, { clientId, page })).data,
        pageSize,
      ),
    }),
  )
  yield textFile('danger.json', () => writeJson({ items: goThroughDanger(db, context.ring, clientId) }))
  yield textFile('treatment-plans.json', () =>
    writeJson({
      plans: goThroughPlans(db, context.ring, clientId),
      versions: goThroughPlanVersions(db, context.ring, clientId),
    }),
  )
  yield textFile('access-log.json', () => writeJson({ entries: goThroughAudit(context) }))
  const consents = await listConsents(context)
  const consentTexts = await readSignedTexts(db, tenant, consents)
  yield textFile('client.json', () => writeClient(context, { consents, consentTexts }))
  yield textFile('fhir/bundle.json', () => writeBundle(context, { consents, consentTexts }))
  yield textFile('README.txt', () => inOnePiece(Buffer.from(readmeText)))
}

async function listConsents({
  parts,
  tenant,
  client,
  names,
  ring,
}: ExportContext): Promise<RecordedConsent[]> {
  const statement = selectConsentHistory(tenant, client.id)
  const rows = await parts.db.read(tenant, statement)
  for (const { clinicianId } of rows) if (clinicianId !== null) await names.clinicianOf(clinicianId)
  return rows.map(({ sealedPerson, ...row }) => ({
    ...row,
    personName: readPerson(ring, { ...row, sealedPerson }),
    recordedAt: row.recordedAt.toISOString(),
  }))
}

async function* writeClient(
  { parts, tenant, client, names }: ExportContext,
  { consents, consentTexts }: ToldConsents,
): AsyncGenerator<Buffer> {
  const { db } = parts
  await names.clinicianOf(client.clinicianId)
  const readSecondary = async (page: { number: number; size: number }) =>
    (await listSecondaryClinicians(db, tenant, client.id, page)).data
  const secondaryClinicianIds: ClinicianId[] = []
  for await (const { id } of throughPages(readSecondary, pageSize)) {
    await names.clinicianOf(id)
    secondaryClinicianIds.push(id)
  }
  const programs = []
  for (const programId of client.programIds) programs.push(await findUnit(db, 'programs', tenant, programId))
  yield* writeJson({
    client,
    clinic: await names.clinicOf(client.clinicId, client.organizationId),
    programs,
    secondaryClinicianIds,
    clinicians: names.clinicians(),
    consents,
    consentTexts,
    statusHistory: await db.read(tenant, selectStatusHistory(tenant, client.id)),
  })
}
