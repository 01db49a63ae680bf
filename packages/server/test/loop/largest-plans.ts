import {
  NoteTemplate,
  planTextBytesMax,
  templateLimits,
  type PlanContent,
  type TreatmentPlanCreate,
} from '@casenote/contract'
import { mergePlan, noPlan } from '../../src/features/treatment-plans/merge-plan.js'
import {
  insertPlanVersion,
  updatePlanVersion,
} from '../../src/features/treatment-plans/treatment-plans.sql.js'
import { planPlace } from '../../src/features/treatment-plans/describe-plan.js'
import { createPlan } from '../../src/features/treatment-plans/index.js'
import type { ChangeContext } from '../../src/kernel/change-context.js'
import type { Tx } from '../../src/kernel/db/database.js'
import { newId } from '../../src/kernel/ids.js'
import { sealJson } from '../../src/kernel/secrets/sealed-json.js'

const each = <Item>(length: number, make: (at: number) => Item): Item[] =>
  Array.from({ length }, (_, at) => make(at))

/** As many entries as there can be, with all the text that a plan may have, of letters that take three bytes. */
export function largestPlan(): TreatmentPlanCreate {
  const texts = 20 + 20 + 2 * 200
  const text = '睡'.repeat(Math.floor(planTextBytesMax / 3 / texts))
  return {
    problems: each(20, () => ({ text })),
    goals: each(20, () => ({
      text,
      targetDate: '2027-02-15',
      objectives: each(10, () => ({ text, targetDate: '2027-02-15' })),
      interventions: each(10, () => text),
    })),
  }
}

/** The largest page that can be asked for; a client may have a few more, which the routes that write one make. */
const plansCount = 80
const versionsCount = 100

/** A page of plans of one client, the first with a page of versions: its id. */
export async function addLargestPlans(tx: Tx, context: ChangeContext, clientId: string): Promise<string> {
  const given = largestPlan()
  const { planId } = await createPlan(tx, context, { clientId, given })
  for (let count = 1; count < plansCount; count++) await createPlan(tx, context, { clientId, given })
  const { content }: { content: PlanContent } = mergePlan(noPlan, given, newId)
  const ring = context.ring.forClient(clientId)
  for (let version = 2; version <= versionsCount; version++) {
    const sealedPlan = sealJson(ring, planPlace(planId, version), content)
    await tx.run(updatePlanVersion(tx.tenant, planId, version))
    await tx.run(insertPlanVersion(tx.tenant, { planId, version, versionId: newId(), sealedPlan }))
  }
  return planId
}

/** As long as a file may be, by the titles that lists show and phrases that they do not; as much as can be wanted in each section. */
export function largestTemplate(id: string): NoteTemplate {
  const phrase = '睡'.repeat(templateLimits.phraseLength)
  const titleOf = (at: number): string => `${at}${'睡'.repeat(templateLimits.titleLength - 2)}`
  const template: NoteTemplate = {
    format: 1,
    id,
    version: 1,
    noteType: 'dap',
    title: titleOf(0),
    voice: { person: 'client' },
    sections: each(templateLimits.sections, (at) => ({
      key: `${'a'.repeat(48)}_${String.fromCharCode(97 + at)}`,
      title: titleOf(at),
      ...(at === 0 ? { holds: ['danger', 'reported'] as const } : {}),
      guide: 'x',
      words: { least: 0, most: 1 },
      must: each(templateLimits.must, (what) => ({
        what: `${what}`,
        words: each(templateLimits.mustWords, (word) => `w${word}`),
      })),
      mustNot: [],
    })) as NoteTemplate['sections'],
  }
  const lengthOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
  const phrases = Math.floor((templateLimits.fileBytes - lengthOf(template)) / (lengthOf(phrase) + 1))
  for (let count = 0; count < phrases; count++)
    template.sections[count % templateLimits.sections]?.mustNot?.push(phrase)
  return template
}

export const largestTemplateId = 'largest-1'

/** As many as a partner may have beside the one that it has: each as `largestTemplate`. */
export async function addLargestTemplates(tx: Tx): Promise<void> {
  const { tenantId } = tx.tenant
  const others = templateLimits.templates - 1
  await tx.run({
    text: `insert into casenote.note_templates (tenant_id, template_id, note_type, newest_version)
      select $1, 'largest-' || n, 'dap', 1 from generate_series(1, $2::int) n`,
    values: [tenantId, others],
  })
  await tx.run({
    text: `insert into casenote.note_template_versions (tenant_id, template_id, version, template)
      select $1, 'largest-' || n, 1, jsonb_set($3::jsonb, '{id}', to_jsonb('largest-' || n))
      from generate_series(1, $2::int) n`,
    values: [tenantId, others, JSON.stringify(largestTemplate(largestTemplateId))],
  })
}
