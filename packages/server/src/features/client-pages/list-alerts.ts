import type { WidgetAssessments } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { Catalogue } from '../assessments/index.js'
import { selectAnswersTo, type AnswerRow } from './answers.sql.js'
import { unsealAnswer } from './sealed-answer.js'

/** Years of a weekly form; a clinician looks at the first. */
const answersMost = 500

type Alert = WidgetAssessments['alerts'][number]

/**
 * Answers about self-harm that a client ever chose, newest first: of finished and of abandoned forms, and also those
 * taken back afterwards. Read from the answers themselves: what is open of them is another list (decision 0023).
 */
export async function listAlerts(
  { db, keys, catalogue }: { db: Database; keys: TenantKeys; catalogue: Catalogue },
  tenant: TenantScope,
  clientId: string,
): Promise<Alert[]> {
  const questionKeys = catalogue
    .list()
    .flatMap(({ questions }) => questions.filter(({ selfHarmFrom }) => selfHarmFrom !== null))
    .map(({ key }) => key)
  const rows = (await db.read(
    tenant,
    selectAnswersTo(tenant, clientId, { questionKeys, most: answersMost }),
  )) as (AnswerRow & { assessmentId: string; instrumentVersion: string })[]
  const ring = await keys.get(tenant)
  const alerts = rows.flatMap((row) => {
    const { value, language } = unsealAnswer(ring, row)
    const { assessmentId, instrumentVersion: version } = row
    const instrument = catalogue.find(assessmentId, { version, language })
    const question = instrument?.questions.find(({ key }) => key === row.questionKey)
    if (instrument === null || question === undefined) return []
    if (question.selfHarmFrom === null || value < question.selfHarmFrom) return []
    return [
      {
        assignmentId: row.assignmentId,
        assessmentId,
        name: instrument.name,
        questionDisplay: question.text,
        answerDisplay: question.options.find((option) => option.value === value)?.text ?? String(value),
        answeredAt: row.givenAt.toISOString(),
      },
    ]
  })
  return dropRepeated(alerts)
}

/** Going back and forth over the same answer is one alert: the last time. */
function dropRepeated(alerts: readonly Alert[]): Alert[] {
  const seen = new Set<string>()
  return alerts.filter(({ assignmentId, questionDisplay, answerDisplay }) => {
    const what = JSON.stringify([assignmentId, questionDisplay, answerDisplay])
    const isNew = !seen.has(what)
    seen.add(what)
    return isNew
  })
}
